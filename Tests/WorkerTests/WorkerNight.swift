import Foundation
import Migrations
import PostgresClient
import TestSupport
import VaultStore
import WorkerScene

extension DatabaseTemplate {
    /// As `people`, and many of them.
    static let crowd = DatabaseTemplate("worker_crowd") { url in
        let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url))
        _ = try await Migrator(connection.forMigrations(until: LastResort.end), engineVersion: "test").migrate()
        if let mutant = QueueMutant.asked { try await connection.runScript(mutant.sql) }
        await connection.close()
        try await WorkerScene.stock(url, people: WorkerNight.people, fixture: WorkerWorld.fixture())
    }
}

/// What came of the due reminders of a crowd, in whatever night they were done.
struct WorkerNight {
    static let people = 48

    /// Workers that were killed, servers that were stopped, or lines that were cut.
    var faults = 0
    var wrong: [String] = []
    /// One digest over all results, in the order of their requests.
    var sets = ""
    /// What each notice says, without its own name, which is that of a random row.
    var notices: [String] = []

    /// A night in which nothing happens.
    static func quiet(on server: TestServer? = nil) async throws -> WorkerNight {
        try await of(server) { _, _ in 0 }
    }

    /// Due reminders of everybody; the body disturbs those who work on them, and a last worker does what is left.
    static func of(
        _ server: TestServer? = nil,
        _ body: (TestDatabase, URL) async throws -> Int
    ) async throws -> WorkerNight {
        let server = if let server { server } else { try await TestServer.shared(.eighteen) }
        return try await withDatabase(on: server, .crowd) { database in
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
            var night = WorkerNight()
            night.faults = try await body(database, outbox)
            try await recover(database)
            let last = try await WorkerProbeProcess.start(database, outbox, point: "none").ending()
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

    private static func noticeOf(_ file: URL) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        return "\(object["vault_id"] ?? "no vault") \(object["title"] ?? "no title") \(object["body"] ?? "no body")"
    }

    /// Where it is not what a quiet night comes to; nothing where all is well.
    func differences(from quiet: WorkerNight) -> [String] {
        wrong + (sets == quiet.sets ? [] : ["other sets than on a quiet night"])
            + (notices == quiet.notices ? [] : ["other notices than on a quiet night"])
    }

    static func count(_ database: TestDatabase, _ what: String) async throws -> Int {
        Int(try await database.run("select count(*) from public.\(what)")[0][0] ?? "") ?? -1
    }

    /// How many jobs have not ended.
    static func open(_ database: TestDatabase) async throws -> Int {
        try await count(database, "recommendation_jobs where state in ('available', 'retryable', 'running')")
    }

    /// As if enough time had passed: leases are over, waits too, and no job has crashed too often.
    ///
    /// The server may still be at what a killed worker asked for, and these updates take rows in no order: where they and
    /// it wait for one another, the server ends one of them, and they are asked for again.
    static func recover(_ database: TestDatabase) async throws {
        for attempt in 1... {
            do {
                try await database.run(
                    """
                    update public.recommendation_jobs
                        set lease_until = knot.clock() - interval '1 s', crash_count = 0, attempt = 1
                        where state = 'running';
                    select api.rescue(500);
                    update public.recommendation_jobs set run_at = knot.clock(), crash_count = 0, attempt = 1
                        where state = 'retryable' or state = 'available' and notice_id is not null
                    """
                )
                return
            } catch {
                guard attempt < 10, "\(error)".contains("deadlock detected") else { throw error }
            }
        }
    }
}
