import KnotDomain
import PostgresClient
import ReminderStore
import Synchronization
import TestSupport
import Testing
import VaultStore
import WorkerScene

@testable import Scheduling
@testable import Worker

/// Whoever hears that something is due looks at once; whoever does not finds it all the same.
@Suite(.tags(.database)) struct QueueListenerTests {
    /// How often somebody was sent to look.
    private final class Looks: Sendable {
        private let count = Atomic(0)

        var all: Int { count.load(ordering: .relaxed) }

        func look() { count.add(1, ordering: .relaxed) }

        /// Waits until there were so many.
        func reach(_ wanted: Int) async throws { try await LastResort.wait { all >= wanted } }
    }

    /// Runs the body while somebody listens, after the look that listening begins with.
    private func listening(_ world: WorkerWorld, _ body: (Looks) async throws -> Void) async throws {
        let looks = Looks()
        let listener = QueueListener(world.scene.pool.target)
        let task = Task { await listener.listen { looks.look() } }
        defer { task.cancel() }
        try await looks.reach(1)
        try await body(looks)
        task.cancel()
        await task.value
    }

    private static let isDirect = Comment("a pooler brings no notifications")

    @Test(.disabled(if: Pooler.isWanted, isDirect), .timeLimit(.minutes(20)))
    func `a worker that would look in an hour takes at once what another gives back`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let other = WorkerID.random
            #expect(try await world.scene.queue.claim(1, by: other, lease: .seconds(60)).count == 1)
            var settings = WorkerSettings.quick
            settings.shortestPoll = .seconds(3_600)
            settings.longestPoll = .seconds(3_600)
            let worker = try world.scene.worker(
                delivery: world.delivery,
                observer: world.observer,
                settings: settings
            )
            let work = Task { try await worker.run() }
            let target = world.scene.pool.target
            let listening = Task { await QueueListener(target).listen { worker.lookNow() } }
            defer { listening.cancel() }
            // Its first look, and that with which listening begins, find nothing.
            try await LastResort.wait {
                world.observer.events.count(where: { $0 == .claimed(jobs: 0, held: 0) }) >= 2
            }
            #expect(try await world.scene.queue.release(other) == 1)
            try await LastResort.wait { !world.observer.endings.isEmpty }
            worker.drain()
            _ = try await work.value
            #expect(world.observer.endings.map(\.outcome) == [.completed])
            try await world.expectSound()
        }
    }

    @Test(.disabled(if: Pooler.isWanted, isDirect))
    func `a job that is tried again is told of`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql(
                """
                update public.recommendation_jobs set state = 'dead', finished_at = knot.clock(),
                    last_error_class = 'data', last_error_code = 'bad_vault'
                """
            )
            let text = try await world.value("select id from public.recommendation_jobs")
            let id = try #require(text.flatMap { PostgresUUID($0) })
            try await listening(world) { looks async throws in
                #expect(try await JobLedger(world.scene.pool).retry(id, until: LastResort.end))
                try await looks.reach(2)
            }
        }
    }

    @Test(.disabled(if: Pooler.isWanted, isDirect))
    func `a plan tells of what is due now, and of nothing that comes later`() async throws {
        try await WorkerWorld.with(due: [], people: 1) { world in
            let milestone = try #require(
                try await world.value("select id from public.partner_milestones where milestone_type = 'birthday'")
            )
            let store = ReminderStore(world.scene.pool)
            func plan(_ daysBefore: Int, at moment: Instant) -> ReminderPlan {
                let key = ReminderKey(
                    milestone: MilestoneID(milestone),
                    occurrence: WorkerScene.birthday,
                    daysBefore: daysBefore
                )
                return ReminderPlan(
                    vault: VaultID(milestone),
                    decisions: [ReminderDecision(key, .plan(moment, .onItsDay))],
                    messages: [],
                    undated: [:]
                )
            }
            try await listening(world) { looks async throws in
                let later = Instant(millisecondsSinceEpoch: WorkerScene.noon.millisecondsSinceEpoch + 3_600_000)
                #expect(try await store.store(plan(3, at: later), until: LastResort.end).new == 1)
                #expect(try await store.store(plan(7, at: WorkerScene.noon), until: LastResort.end).new == 1)
                try await looks.reach(2)
                // Whatever the first had told would have come before.
                #expect(looks.all == 2)
            }
        }
    }

    @Test(.disabled(if: Pooler.isWanted, isDirect))
    func `a connection that is lost is made again, and listening begins with a look`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await listening(world) { looks async throws in
                let ended = try await world.value(
                    """
                    select count(pg_terminate_backend(pid)) from pg_stat_activity
                    where datname = current_database() and query = 'listen knot_jobs'
                    """
                )
                #expect(ended == "1")
                try await looks.reach(2)
                try await world.sql("select pg_notify('knot_jobs', '')")
                try await looks.reach(3)
            }
        }
    }

    @Test(.enabled("pgbouncer is not installed") { Pooler.binary != nil }, .timeLimit(.minutes(20)))
    func `behind a pooler of transactions nobody listens, and no session is left listening`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let pooler = try await Pooler.start(before: world.database.server)
            let url = pooler.url(database: world.database.name, user: "knot_worker")
            // It returns by itself.
            await QueueListener(try ConnectionTarget(url: url)).listen { Issue.record("there is nothing to hear") }
            #expect(try await PlainConnection.run("select count(*) from pg_listening_channels()", on: url) == [["0"]])
        }
    }
}
