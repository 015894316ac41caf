import Delivery
import Foundation
import KnotDomain
import PostgresClient
import ReminderStore
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// Workers that lose what they hold, and what they may still do then.
@Suite(.tags(.database)) struct LostLeaseTests {
    /// A worker that thinks its lease endless, and never renews it: as one that was stopped for a while.
    private static var deaf: WorkerSettings {
        var settings = WorkerSettings.quick
        settings.renewsEvery = nil
        return settings
    }

    /// As if the leases of all had run out, and their backoff too.
    private static func expire(_ world: WorkerWorld) async throws {
        try await world.sql(
            """
            update public.recommendation_jobs set lease_until = knot.clock() - interval '1 s' where state = 'running';
            select api.rescue(500);
            update public.recommendation_jobs set run_at = knot.clock() where state = 'retryable'
            """
        )
    }

    @Test func `whoever comes back after another has done its job writes nothing`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            let (slow, quick) = (world.delivery, world.delivery)
            slow.meanwhile { _ in
                // While the notice is under way, the job is taken back and done by another worker.
                try? await Self.expire(world)
                _ = try? await world.drain(quick)
            }
            let summary = try await world.drain(slow, settings: Self.deaf)
            #expect(summary.counts == [.lost: 2])
            try await world.expectSound()
            // Told twice, as may be, and both times under one name.
            #expect(Set(slow.handed.keys) == Set(quick.handed.keys))
            #expect(try world.notices().count == 2)
            #expect(try await world.count("public.recommendation_runs") == 2)
        }
    }

    @Test func `whoever comes back while another has its job leaves it to that one`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let slow = world.delivery
            slow.meanwhile { _ in
                try? await Self.expire(world)
                _ = try? await world.sql("select api.claim_jobs(gen_random_uuid())")
            }
            let summary = try await world.drain(slow, settings: Self.deaf)
            #expect(summary.counts == [.lost: 1])
            #expect(try await world.states() == ["running": 1])
            #expect(try await world.count("public.notification_queue where status = 'pending'") == 1)
        }
    }

    @Test func `of notices that end together the one whose job is another's by now is left as it is`() async throws {
        try await WorkerWorld.with(people: 3) { world in
            let queue = world.scene.queue
            let jobs = try await queue.claim(3, by: .random, lease: .seconds(60))
            let notices = try jobs.map { job in
                NoticeOfJobs(
                    id: NoticeID(try #require(job.notification).description),
                    jobs: [job.claim],
                    content: "{}"
                )
            }
            try await world.sql(
                "update public.recommendation_jobs set claim_token = gen_random_uuid() where id = '\(jobs[0].id)'"
            )
            let begun = try await queue.begin(notices)
            #expect(begun == Set(notices.dropFirst().map(\.id)))
            try await world.sql(
                """
                update public.recommendation_jobs set state = 'retryable', lease_until = null
                where id = '\(jobs[1].id)'
                """
            )
            let told = zip(notices, jobs).map { notice, job in
                let reminder = ToldReminder(job: job.id, claim: job.claim, run: job.id.description)
                return DeliveredNotice(id: notice.id, told: [reminder])
            }
            // No set is stored for these, so none may be named.
            try await world.sql("alter table public.recommendation_jobs disable trigger all")
            let ended = try await queue.finish(told)
            #expect(ended == [notices[2].id])
            #expect(try await world.states() == ["running": 1, "retryable": 1, "completed": 1])
            #expect(try await world.count("public.notification_queue where status = 'sent'") == 1)
        }
    }

    @Test func `what a dead worker held waits ten seconds at most, and what two have held longer`() async throws {
        try await WorkerWorld.with { world in
            func rescued() async throws -> [Double] {
                try await world.sql(
                    """
                    update public.recommendation_jobs set run_at = knot.clock() where state = 'retryable';
                    -- The second time each is held by another one, for they come one by one.
                    select api.claim_jobs(gen_random_uuid(), 50) from generate_series(1, \(WorkerWorld.people));
                    update public.recommendation_jobs set lease_until = knot.clock() - interval '1 s';
                    select api.rescue(50)
                    """
                )
                return try await world.sql(
                    "select extract(epoch from run_at - knot.clock()) from public.recommendation_jobs"
                ).compactMap { $0[0].flatMap(Double.init) }
            }
            let first = try await rescued()
            #expect(first.count == WorkerWorld.people && first.allSatisfy { $0 <= 10 })
            let second = try await rescued()
            #expect(second.count == WorkerWorld.people && second.allSatisfy { $0 > 20 })
        }
    }

    @Test func `a reminder has one set in the database, whatever its identity`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql(
                """
                update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary';
                select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3), array_agg(knot.clock()))
                from public.partner_milestones m where m.milestone_type = 'anniversary'
                """
            )
            try await world.drain(world.delivery)
            #expect(try await world.count("public.recommendation_runs") == 2)
            let refusal = await #expect(throws: (any Error).self) {
                try await world.sql(
                    """
                    update public.recommendation_runs
                    set request = (select min(r.request) from public.recommendation_runs r)
                    """
                )
            }
            #expect(refusal.map { "\($0)".contains("idx_recommendation_runs_reminder") } == true)
        }
    }

    @Test func `a set that comes after its lease was lost is not stored`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let done = Counter()
            let points = PointWatch { point in
                guard point == .beforeSave, done.isFirst() else { return }
                await Self.noting {
                    try await world.sql(
                        """
                        update public.recommendation_jobs set lease_until = knot.clock() - interval '1 s';
                        select api.rescue(500)
                        """
                    )
                }
            }
            let summary = try await world.drain(world.delivery, settings: Self.deaf, points: points)
            #expect(summary.counts == [.lost: 1])
            #expect(try await world.count("public.recommendation_runs") == 0)
            #expect(try await world.states() == ["retryable": 1])
        }
    }

    @Test func `a set that another set of its vault was faster than is chosen anew, with other items`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql(
                "update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary'"
            )
            let done = Counter()
            let quick = world.delivery
            let points = PointWatch { point in
                guard point == .beforeSave, done.isFirst() else { return }
                // The other day's reminder comes, and another worker takes it.
                await Self.noting {
                    try await world.sql(
                        """
                        select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3),
                            array_agg(knot.clock()))
                        from public.partner_milestones m where m.milestone_type = 'anniversary'
                        """
                    )
                    let asked = try await world.value(
                        "select notification_id from public.recommendation_jobs where days_before = 3"
                    )
                    _ = try await world.scene.worker(delivery: quick, observer: world.observer)
                        .run(only: NotificationID(asked ?? ""))
                }
            }
            let summary = try await world.drain(world.delivery, points: points)
            #expect(summary.counts == [.completed: 1])
            #expect(quick.notices.count == 1)
            #expect(try await world.count("public.recommendation_runs") == 2)
            try await world.expectSound()
        }
    }

    @Test func `work on a job ends before its lease does, and nothing is handed over then`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            var settings = Self.deaf
            settings.lease = .seconds(2)
            settings.margin = .milliseconds(1_500)
            let delivery = world.delivery
            let points = PointWatch { point in
                if point == .afterSave { try? await ContinuousClock().sleep(for: .milliseconds(600)) }
            }
            let summary = try await world.drain(delivery, settings: settings, points: points)
            #expect(summary.counts == [.lost: 1])
            #expect(delivery.notices.isEmpty)
        }
    }

    @Test func `a lease is lengthened as long as work goes on`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            var settings = WorkerSettings.quick
            // Long enough for a machine that does many other things meanwhile.
            settings.lease = .seconds(5)
            settings.margin = .milliseconds(500)
            settings.renewsEvery = .milliseconds(300)
            let points = PointWatch { point in
                if point == .afterSave { try? await ContinuousClock().sleep(for: .seconds(7)) }
            }
            let summary = try await world.drain(world.delivery, settings: settings, points: points)
            #expect(summary.counts == [.completed: 1])
            #expect(try await world.count("public.recommendation_jobs where attempt = 1 and crash_count = 0") == 1)
        }
    }

    @Test func `a third crash puts the job aside, and others are done`() async throws {
        try await WorkerWorld.with(people: 3) { world in
            for _ in 1...3 {
                try await world.sql(
                    """
                    update public.recommendation_jobs set run_at = knot.clock() where crash_count > 0 and state <> 'dead';
                    select api.claim_jobs(gen_random_uuid(), 1);
                    update public.recommendation_jobs set lease_until = knot.clock() - interval '1 s'
                        where state = 'running';
                    select api.rescue(500);
                    update public.recommendation_jobs set run_at = run_at + interval '1 hour' where crash_count = 0
                    """
                )
            }
            try await world.sql("update public.recommendation_jobs set run_at = knot.clock() where crash_count = 0")
            let summary = try await world.drain(world.delivery)
            #expect(summary.counts == [.completed: 2])
            #expect(try await world.states() == ["completed": 2, "dead": 1])
        }
    }

    @Test func `a worker that is told to stop ends what it has and claims nothing more`() async throws {
        try await WorkerWorld.with { world in
            var settings = WorkerSettings.quick
            settings.batch = 1
            settings.batchesAtOnce = 1
            let delivery = world.delivery
            let worker = try world.scene.worker(delivery: delivery, observer: world.observer, settings: settings)
            delivery.meanwhile { _ in worker.drain() }
            let summary = try await worker.run()
            let done = try #require(summary.counts[.completed])
            #expect((1...3).contains(done))
            #expect(summary.all == done && !worker.isCutShort)
            #expect(try await world.states() == ["completed": done, "available": WorkerWorld.people - done])
        }
    }

    @Test(.timeLimit(.minutes(15))) func `a worker whose grace is over gives back what it has`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            var settings = WorkerSettings.quick
            settings.grace = .milliseconds(300)
            let delivery = world.delivery
            let worker = try world.scene.worker(delivery: delivery, observer: world.observer, settings: settings)
            delivery.meanwhile { _ in
                worker.drain()
                // Without an end to the grace, this would be the end of the test.
                try? await ContinuousClock().sleep(for: LastResort.limit)
            }
            try await worker.run()
            #expect(worker.isCutShort)
            #expect(try await world.count("public.recommendation_jobs where state = 'running'") == 0)
            try await world.sql("update public.recommendation_jobs set run_at = knot.clock() where state = 'retryable'")
            try await world.drain(world.delivery)
            try await world.expectSound()
        }
    }

    /// Does something on the way of a worker, which nobody may stop with an error.
    private static func noting(_ body: () async throws -> Void) async {
        do { try await body() } catch { Issue.record("\(error)") }
    }
}

/// Tells the first who asks from all others.
final class Counter: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var count = 0

    func isFirst() -> Bool {
        lock.withLock {
            // Under the lock.
            unsafe count += 1
            return unsafe count == 1
        }
    }
}
