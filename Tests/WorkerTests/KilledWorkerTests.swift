import Delivery
import Foundation
import KnotDomain
import PostgresClient
import TestSupport
import Testing
import VaultStore
import Worker
import WorkerScene

extension DatabaseTemplate {
    /// As `people`, and many of them.
    static let crowd = DatabaseTemplate("worker_crowd") { url in
        let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url))
        _ = try await Migrator(connection.forMigrations(until: .now + .seconds(120)), engineVersion: "test").migrate()
        try await connection.runScript("alter role knot_worker connection limit 400")
        if let mutant = QueueMutant.asked { try await connection.runScript(mutant.sql) }
        await connection.close()
        try await WorkerScene.stock(url, people: KilledWorkerTests.people, fixture: WorkerWorld.fixture())
    }
}

/// Workers in processes of their own that are killed at every point of their work.
@Suite(.tags(.database), .serialized) struct KilledWorkerTests {
    /// A few here, many in a soak.
    private static let kills = ProcessInfo.processInfo.environment["KNOT_WORKER_KILLS"].flatMap { Int($0) } ?? 200
    private static let seed = ProcessInfo.processInfo.environment["KNOT_WORKER_SEED"].flatMap { UInt64($0) } ?? 17
    static let people = 48
    /// Killed side by side, so that they also race.
    private static let atOnce = 4

    @Test func `whatever is killed, each reminder ends with one set and one notice, the very ones of a quiet night`()
        async throws
    {
        let quiet = try await Self.night { _, _ in 0 }
        var kills = 0
        var seed = Self.seed
        while kills < Self.kills {
            let night = try await Self.night { database, outbox in
                var random = SeededRandom(seed: seed)
                var killed = 0
                var rounds = 0
                while rounds < 40, try await Self.open(database) > 0 {
                    rounds += 1
                    let points = (0..<Self.atOnce).map { _ in Self.point(&random) }
                    killed += try await Self.round(points, database, outbox)
                }
                return killed
            }
            kills += night.kills
            #expect(night.wrong.isEmpty, "seed \(seed): \(night.wrong.joined(separator: "; "))")
            #expect(night.sets == quiet.sets, "seed \(seed): other sets than on a quiet night")
            #expect(night.notices == quiet.notices, "seed \(seed): other notices than on a quiet night")
            #expect(night.kills > 0, "seed \(seed): nobody was killed")
            seed += 1
        }
        print("workers killed: \(kills)")
    }

    @Test func `a worker that stood still for three leases wakes up and writes nothing that another has done`()
        async throws
    {
        let night = try await Self.night { database, outbox in
            let sleeper = try WorkerProbeProcess(database, outbox, point: "none", lease: 1)
            while try await Self.count(database, "recommendation_jobs where state = 'running'") == 0 {
                try await ContinuousClock().sleep(for: .milliseconds(5))
            }
            sleeper.signal(SIGSTOP)
            let held = try await Self.count(database, "recommendation_jobs where state = 'running'")
            #expect(held > 0)
            try await ContinuousClock().sleep(for: .seconds(3))
            try await Self.recover(database)
            let other = try await WorkerProbeProcess(database, outbox, point: "none").ending()
            #expect(other.code == 0, "\(other.output)")
            let before = try await Self.ended(database)
            #expect(!before.isEmpty)
            sleeper.signal(SIGCONT)
            let ending = await sleeper.ending()
            #expect(ending.code == 0, "\(ending.output)")
            // What it had open when it was stopped may have kept others from a job, which it may end then.
            #expect(Set(before).subtracting(try await Self.ended(database)) == [])
            return 0
        }
        #expect(night.wrong.isEmpty, "\(night.wrong.joined(separator: "; "))")
        #expect(night.notices.count == Self.people)
    }

    private static func count(_ database: TestDatabase, _ what: String) async throws -> Int {
        Int(try await database.run("select count(*) from public.\(what)")[0][0] ?? "") ?? -1
    }

    /// Every job that has ended, with its notification.
    private static func ended(_ database: TestDatabase) async throws -> [String] {
        try await database.run(
            """
            select j::text || n::text from public.recommendation_jobs j
            join public.notification_queue n on n.id = j.notification_id where j.state = 'completed'
            """
        ).compactMap { $0[0] }
    }

    private struct Night {
        var kills = 0
        var wrong: [String] = []
        /// One digest over all results, in the order of their requests.
        var sets = ""
        var notices: [String] = []
    }

    /// Due reminders of everybody; the body disturbs those who work on them, and a last worker does what is left.
    private static func night(_ body: (TestDatabase, URL) async throws -> Int) async throws -> Night {
        try await withDatabase(.eighteen, .crowd) { database in
            let outbox = FileManager.default.temporaryDirectory.appendingPathComponent("outbox-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: outbox, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: outbox) }
            try await database.run(
                """
                select api.enqueue(
                    array_agg(m.id order by m.id), array_agg('\(WorkerScene.birthday)'::date), array_agg(7),
                    array_agg(timestamptz '2026-05-09 10:59Z')
                ) from public.partner_milestones m where m.milestone_type = 'birthday'
                """
            )
            var night = Night()
            night.kills = try await body(database, outbox)
            try await recover(database)
            let last = try await WorkerProbeProcess(database, outbox, point: "none").ending()
            if last.isKilled || last.code != 0 { night.wrong.append("the last worker: \(last.output)") }
            for check in QueueAudit.checks {
                for row in try await database.run(check.sql) {
                    night.wrong.append("\(check.name): \(row.map { $0 ?? "null" }.joined(separator: " "))")
                }
            }
            night.sets =
                try await database.run(
                    "select md5(string_agg(r.result::text, '|' order by r.request)) from public.recommendation_runs r"
                )[0][0] ?? ""
            night.notices = try FileManager.default.contentsOfDirectory(atPath: outbox.path)
                .filter { !$0.hasPrefix(".") }
                .map { try noticeOf(outbox.appendingPathComponent($0)) }.sorted()
            return night
        }
    }

    /// A notice without its own name, which is that of a random row.
    private static func noticeOf(_ file: URL) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        return "\(object["vault_id"] ?? "no vault") \(object["title"] ?? "no title") \(object["body"] ?? "no body")"
    }

    private static func point(_ random: inout SeededRandom) -> String {
        let points = WorkerPoint.allCases.filter { $0 != .beforeRelease }
        if Int.random(in: 0..<5, using: &random) == 0 {
            return "after:\(Int.random(in: 20_000...400_000, using: &random))"
        }
        let point = points.randomElement(using: &random) ?? .beforeClaim
        return "\(point.rawValue):\(Int.random(in: 1...2, using: &random))"
    }

    /// Starts workers that die at these points, and returns how many did.
    private static func round(_ points: [String], _ database: TestDatabase, _ outbox: URL) async throws -> Int {
        let probes = try points.map { try WorkerProbeProcess(database, outbox, point: $0, lease: 1) }
        var killed = 0
        for (probe, point) in zip(probes, points) {
            let ending = await probe.ending()
            if ending.isKilled { killed += 1 } else { #expect(ending.code == 0, "\(point): \(ending.output)") }
        }
        try await recover(database)
        return killed
    }

    private static func open(_ database: TestDatabase) async throws -> Int {
        let rows = try await database.run(
            "select count(*) from public.recommendation_jobs where state in ('available', 'retryable', 'running')"
        )
        return Int(rows[0][0] ?? "") ?? 0
    }

    /// As if enough time had passed: leases are over, waits too, and no job has crashed too often.
    ///
    /// The server may still be at what a killed worker asked for, and these updates take rows in no order: where they and
    /// it wait for one another, the server ends one of them, and they are asked for again.
    private static func recover(_ database: TestDatabase) async throws {
        for attempt in 1... {
            do {
                try await database.run(
                    """
                    update public.recommendation_jobs
                        set lease_until = knot.clock() - interval '1 s', crash_count = 0, attempt = 1
                        where state = 'running';
                    select api.rescue(500);
                    update public.recommendation_jobs set run_at = knot.clock(), crash_count = 0, attempt = 1
                        where state = 'retryable'
                    """
                )
                return
            } catch {
                guard attempt < 10, "\(error)".contains("deadlock detected") else { throw error }
            }
        }
    }
}

/// A worker in a process of its own.
struct WorkerProbeProcess {
    private let process = Process()
    private let output = Pipe()

    /// Beside the test bundle.
    private static let binary: URL? = {
        let folders = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent(),
            Repository.root.appendingPathComponent(".build/debug"),
        ]
        return folders.map { $0.appendingPathComponent("knot-worker-probe") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Starts at once.
    init(_ database: TestDatabase, _ outbox: URL, point: String, lease: Int? = nil) throws {
        guard let binary = Self.binary else { throw DatabaseTestError("knot-worker-probe is not built") }
        process.executableURL = binary
        process.arguments =
            [database.url(user: "knot_worker"), outbox.path, point] + (lease.map { [String($0)] } ?? [])
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    func ending() async -> (isKilled: Bool, code: Int32, output: String) {
        let output = output
        let text = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = output.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
        process.waitUntilExit()
        let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        return (isKilled, process.terminationStatus, text.split(separator: "\n").joined(separator: " "))
    }
}
