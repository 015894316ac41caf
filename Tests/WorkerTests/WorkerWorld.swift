import Delivery
import Foundation
import KnotDomain
import Migrations
import PostgresClient
import Synchronization
import TestSupport
import Testing
import VaultStore
import Worker
import WorkerScene

extension DatabaseTemplate {
    /// The schema and some people whose birthday is a week ahead.
    static let people = DatabaseTemplate("worker_people") { url in
        let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url))
        _ = try await Migrator(connection.forMigrations(until: LastResort.end), engineVersion: "test").migrate()
        if let mutant = QueueMutant.asked { try await connection.runScript(mutant.sql) }
        await connection.close()
        try await WorkerScene.stock(url, people: WorkerWorld.people, fixture: WorkerWorld.fixture())
    }
}

/// A database with people and due reminders, a folder that notices go into, and whoever counts what is handed over.
struct WorkerWorld {
    static let people = 6

    static func fixture() throws -> [UInt8] {
        try [UInt8](Data(contentsOf: Repository.root.appendingPathComponent("fixtures/vaults/dev-01.json")))
    }

    let database: TestDatabase
    let scene: WorkerScene
    let outbox: URL
    let observer = RecordingObserver()

    /// Runs the body with reminders in the queue that are due: the birthday of everybody, so many days ahead.
    @discardableResult
    static func with<Value: Sendable>(
        on server: TestServer? = nil,
        due daysBefore: [Int] = [7],
        people: Int = WorkerWorld.people,
        _ body: (WorkerWorld) async throws -> Value
    ) async throws -> Value {
        let server = if let server { server } else { try await TestServer.shared(.eighteen) }
        return try await withDatabase(on: server, .people) { database in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("outbox-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let scene = try await WorkerScene(url: Pooler.diverted(database.url(user: "knot_worker")))
            let world = WorkerWorld(database: database, scene: scene, outbox: folder)
            if people < Self.people {
                try await world.sql(
                    "delete from auth.users where id not in (select id from auth.users order by id limit \(people))"
                )
            }
            for days in daysBefore { try await world.enqueue(days) }
            let result: Result<Value, any Error>
            do { result = .success(try await body(world)) } catch { result = .failure(error) }
            await scene.pool.close()
            return try result.get()
        }
    }

    /// Puts the birthday's reminder of everybody into the queue, so many days ahead, due since a minute.
    func enqueue(_ days: Int, milestone: String = "birthday") async throws {
        try await sql(
            """
            select api.enqueue(
                array_agg(m.id order by m.id), array_agg('\(WorkerScene.birthday)'::date), array_agg(\(days)),
                array_agg(knot.clock() - interval '1 minute')
            ) from public.partner_milestones m where m.milestone_type = '\(milestone)'
            """
        )
    }

    @discardableResult
    func sql(_ text: String) async throws -> [[String?]] { try await database.run(text) }

    func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

    func count(_ text: String) async throws -> Int { Int(try await value("select count(*) from \(text)") ?? "") ?? -1 }

    /// How many jobs are in each state.
    func states() async throws -> [String: Int] {
        let rows = try await sql("select state, count(*) from public.recommendation_jobs group by 1")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", Int($0[1] ?? "") ?? -1) })
    }

    var delivery: CountedDelivery { CountedDelivery(OutboxDelivery(folder: outbox.path)) }

    /// The files of the outbox: one for each notice, however often it was handed over.
    func notices() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: outbox.path).filter { !$0.hasPrefix(".") }
    }

    /// A worker that ends when nothing is due, and what it did.
    @discardableResult
    func drain(
        _ delivery: any NoticeDelivery,
        queue: (any JobQueue)? = nil,
        settings: WorkerSettings = .quick,
        points: PointWatch = .none
    ) async throws -> WorkerSummary {
        try await scene.worker(
            queue: queue,
            delivery: delivery,
            observer: observer,
            settings: settings,
            points: points
        ).run(.whileDue)
    }

    /// Nothing is lost, doubled, torn, repeated or early, and every job has ended.
    func expectSound(_ note: String = "", sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let found = try await audit()
        #expect(found.isEmpty, "\(note) \(found.joined(separator: "; "))", sourceLocation: sourceLocation)
    }

    /// What is wrong in the whole database, by an account of its own; nothing where all is well.
    func audit() async throws -> [String] {
        var found: [String] = []
        for check in QueueAudit.checks {
            for row in try await sql(check.sql) {
                found.append("\(check.name): \(row.map { $0 ?? "null" }.joined(separator: " "))")
            }
        }
        return found
    }
}

/// Counts what is handed over, by notice, on its way to a real delivery; or answers itself what a test wants.
final class CountedDelivery: NoticeDelivery {
    private struct State {
        var handed: [NoticeID: Int] = [:]
        var notices: [Notice] = []
        var answers: [DeliveryResult] = []
        var before: (@Sendable (Notice) async -> Void)?
    }

    let name: String
    private let way: any NoticeDelivery
    private let state = Mutex(State())

    init(_ way: any NoticeDelivery) {
        self.way = way
        name = way.name
    }

    /// The first notices are answered like this, and reach nobody.
    func answer(_ results: [DeliveryResult]) { state.withLock { $0.answers = results } }

    /// Something to do while a notice is under way.
    func meanwhile(_ body: @escaping @Sendable (Notice) async -> Void) { state.withLock { $0.before = body } }

    var notices: [Notice] { state.withLock { $0.notices } }
    /// How often each was taken.
    var handed: [NoticeID: Int] { state.withLock { $0.handed } }

    func refusal(of device: Notice.Device?) -> DeliveryResult? { way.refusal(of: device) }

    func deliver(_ notice: Notice, until deadline: ContinuousClock.Instant) async -> DeliveryResult {
        let (answer, before) = state.withLock { state in
            (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.before)
        }
        await before?(notice)
        if let answer { return answer }
        let result = await way.deliver(notice, until: deadline)
        state.withLock { state in
            state.handed[notice.id, default: 0] += 1
            state.notices.append(notice)
        }
        return result
    }
}

/// Keeps all that a worker tells.
final class RecordingObserver: WorkerObserver {
    private let seen = Mutex<[WorkerEvent]>([])

    func saw(_ event: WorkerEvent) { seen.withLock { $0.append(event) } }

    var events: [WorkerEvent] { seen.withLock { $0 } }

    var endings: [JobEnding] {
        events.compactMap { event in
            if case .ended(let ending) = event { ending } else { nil }
        }
    }
}

/// Whether a worker held nothing, and found nothing to do, when it last asked.
final class Idleness: WorkerObserver {
    private let state = Mutex(false)

    var isIdle: Bool { state.withLock { $0 } }

    func saw(_ event: WorkerEvent) {
        if case .claimed(let jobs, let held) = event { state.withLock { $0 = jobs == 0 && held == 0 } }
    }
}
