import Delivery
import PostgresClient
import ReminderStore
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// One notice for two reminders of a vault, which is handed over again: by one worker at a time, and once where it is taken.
@Suite(.tags(.database)) struct SharedNoticeTests {
    /// A person with two reminders that are due, whose notice was not taken the first time.
    private static func withBusyReceiver(_ body: (WorkerWorld, CountedDelivery) async throws -> Void) async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql(
                "update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary'"
            )
            try await world.sql(
                """
                select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3), array_agg(knot.clock()))
                from public.partner_milestones m where m.milestone_type = 'anniversary'
                """
            )
            let delivery = world.delivery
            delivery.answer([.later(code: "http_503", detail: "It is busy.", after: nil)])
            try await world.drain(delivery)
            try #require(try await world.states() == ["retryable": 2])
            try await body(world, delivery)
        }
    }

    @Test func `reminders of a notice that was not taken wait for one moment`() async throws {
        for _ in 1...3 {
            try await Self.withBusyReceiver { world, _ in
                let moments = try await world.count("(select distinct run_at from public.recommendation_jobs) a")
                #expect(moments == 1)
            }
        }
    }

    @Test func `a reminder that is due again brings along those of its notice that wait`() async throws {
        try await Self.withBusyReceiver { world, delivery in
            try await world.sql(
                """
                update public.recommendation_jobs
                set run_at = knot.clock() + case days_before when 7 then interval '-1 s' else interval '1 hour' end
                """
            )
            #expect(try await world.scene.queue.claim(50, by: .random, lease: .seconds(60)).count == 2)
        }
        try await Self.withBusyReceiver { world, delivery in
            let asked = try await world.value(
                "select notification_id from public.recommendation_jobs where days_before = 3"
            )
            try await world.sql(
                "update public.recommendation_jobs set run_at = run_at + days_before * interval '1 hour'"
            )
            let worker = try world.scene.worker(delivery: delivery, observer: world.observer)
            let notification = NotificationID(try #require(asked))
            #expect(try await worker.run(only: notification)?.outcome == .completed)
            #expect(delivery.handed.values.map(\.self) == [1])
            try await world.expectSound()
        }
    }

    @Test func `while one worker hands a notice over, another that has a reminder of it waits its turn`() async throws {
        try await Self.withBusyReceiver { world, delivery in
            // Held by somebody who claimed it before such reminders came together.
            try await world.sql(
                """
                update public.recommendation_jobs
                set state = 'running', claim_token = gen_random_uuid(), claimed_by = gen_random_uuid(),
                    lease_until = knot.clock() + interval '1 minute'
                where days_before = 3;
                update public.recommendation_jobs set run_at = knot.clock() where days_before = 7
                """
            )
            #expect(try await world.drain(delivery).all == 0)
            // Also where it is asked for.
            let asked = try await world.value(
                "select notification_id from public.recommendation_jobs where days_before = 7"
            )
            let worker = try world.scene.worker(delivery: delivery, observer: world.observer)
            let ending = try await worker.run(only: NotificationID(try #require(asked)))
            #expect(ending?.outcome == .snoozed && ending?.code == "told_elsewhere")
            #expect(delivery.handed.isEmpty)
            // It is tried again in a moment, and nothing of its attempts is spent.
            let row = try await world.sql(
                """
                select attempt, run_at between knot.clock() and knot.clock() + interval '16 s'
                from public.recommendation_jobs where days_before = 7
                """
            )
            #expect(row == [["1", "t"]])
            // Whoever held the other one is dead: it keeps nobody waiting.
            try await world.sql(
                """
                update public.recommendation_jobs set lease_until = knot.clock() - interval '1 s' where state = 'running';
                update public.recommendation_jobs set run_at = knot.clock() where days_before = 7
                """
            )
            try await world.drain(delivery)
            try await world.drain(delivery)
            #expect(delivery.handed.values.map(\.self) == [1])
            try await world.expectSound()
        }
    }

    /// The jobs' ids, first that of the reminder which gave the notice its name.
    private static func jobs(_ world: WorkerWorld) async throws -> [String] {
        try await world.sql(
            "select id from public.recommendation_jobs order by (notification_id = notice_id) desc"
        ).compactMap { $0[0] }
    }

    private static let allAreDue = """
        update public.recommendation_jobs set run_at = knot.clock() where state in ('available', 'retryable')
        """

    @Test func `reminders whose sets are gone are told of together, once all have new ones`() async throws {
        try await Self.withBusyReceiver { world, delivery in
            try await world.sql("delete from public.recommendation_runs")
            try await world.sql(Self.allAreDue)
            let summary = try await world.drain(delivery)
            #expect(summary.counts == [.completed: 2])
            #expect(delivery.notices.map(\.occasions.count) == [2])
            try await world.expectSound()
        }
    }

    @Test(arguments: [0, 1])
    func `what is called off and planned again is told of, whatever its notice told meanwhile`(
        which: Int
    ) async throws {
        try await Self.withBusyReceiver { world, delivery in
            let job = try await Self.jobs(world)[which]
            try await world.sql("select api.cancel('\(job)')")
            try await world.sql(Self.allAreDue)
            try await world.drain(delivery)
            try #require(delivery.notices.map(\.occasions.count) == [1])
            try await world.sql(
                """
                select api.enqueue(
                    array[j.milestone_id], array[j.occurrence_date], array[j.days_before], array[knot.clock()]
                ) from public.recommendation_jobs j where j.id = '\(job)'
                """
            )
            try await world.drain(delivery)
            #expect(delivery.notices.map(\.occasions.count) == [1, 1])
            #expect(Set(delivery.notices.map(\.id)).count == 2)
            #expect(Set(delivery.notices.flatMap(\.occasions).map(\.milestone)).count == 2)
            #expect(try world.notices().count == 2)
            try await world.expectSound()
        }
    }

    @Test func `what is put back one by one after a refusal is told of under a name for each`() async throws {
        try await Self.withBusyReceiver { world, delivery in
            delivery.answer([.refused(code: "http_422", detail: "It will not.")])
            let jobs = try await Self.jobs(world)
            try await world.sql(Self.allAreDue)
            try await world.drain(delivery)
            try #require(try await world.states() == ["dead": 2])
            for job in jobs {
                try await world.sql("select api.replay('\(job)')")
                try await world.drain(delivery)
            }
            #expect(delivery.notices.map(\.occasions.count) == [1, 1])
            #expect(Set(delivery.notices.map(\.id)).count == 2)
            try await world.expectSound()
        }
    }

    @Test func `what is put back together is the notice that it was`() async throws {
        try await Self.withBusyReceiver { world, delivery in
            delivery.answer([.refused(code: "http_422", detail: "It will not.")])
            let name = try await world.value("select notice_id from public.recommendation_jobs limit 1")
            try await world.sql(Self.allAreDue)
            try await world.drain(delivery)
            try await world.sql("select api.replay(id) from public.recommendation_jobs")
            try await world.drain(delivery)
            #expect(delivery.notices.map(\.id.description) == [name])
            #expect(delivery.notices.map(\.occasions.count) == [2])
            try await world.expectSound()
        }
    }

    @Test func `what may have been accepted is told under its own name and as it was, one by one put back`()
        async throws
    {
        try await Self.withBusyReceiver { world, delivery in
            let jobs = try await Self.jobs(world)
            let name = try await world.value("select notice_id from public.recommendation_jobs limit 1")
            // Three workers died that held them.
            try await world.sql(
                """
                update public.recommendation_jobs
                set state = 'running', crash_count = 2, claim_token = gen_random_uuid(), claimed_by = gen_random_uuid(),
                    lease_until = knot.clock() - interval '1 minute';
                select api.rescue(500)
                """
            )
            try #require(try await world.states() == ["dead": 2])
            for job in jobs {
                try await world.sql("select api.replay('\(job)')")
                try await world.drain(delivery)
            }
            #expect(delivery.notices.map(\.id.description) == [name, name])
            #expect(delivery.notices.map(\.occasions.count) == [2, 2])
            #expect(delivery.notices.first == delivery.notices.last && delivery.notices.first?.isRepeated == true)
            #expect(try await world.states() == ["completed": 2])
            try await world.expectSound()
        }
    }

    @Test func `what goes without a reminder that has no set has a name of its own`() async throws {
        try await Self.withBusyReceiver { world, delivery in
            let job = try await Self.jobs(world)[0]
            let name = try await world.value("select notice_id from public.recommendation_jobs limit 1")
            try await world.sql(
                """
                delete from public.recommendation_runs r using public.recommendation_jobs j
                where j.id = '\(job)'
                    and r.request = format('m:%s:%s:%s', j.milestone_id, j.occurrence_date, j.days_before);
                update public.recommendation_jobs set crash_count = 2 where id = '\(job)'
                """
            )
            try await world.sql(Self.allAreDue)
            try await world.drain(delivery)
            #expect(delivery.notices.map(\.occasions.count) == [1, 1])
            // What both were told of under their name, neither is by itself.
            let names = Set(delivery.notices.map(\.id.description))
            #expect(names.count == 2 && !names.contains(name ?? ""))
            #expect(Set(delivery.notices.flatMap(\.occasions).map(\.milestone)).count == 2)
            try await world.expectSound()
        }
    }

    @Test func `the first worker that ends when nothing is due resumes all that dead ones left`() async throws {
        try await WorkerWorld.with { world in
            try await world.sql(
                """
                update public.recommendation_jobs
                set state = 'running', attempt = 1, claim_token = gen_random_uuid(), claimed_by = gen_random_uuid(),
                    lease_until = knot.clock() - interval '1 minute'
                """
            )
            var settings = WorkerSettings.quick
            settings.rescueLimit = 2
            settings.rescuesEvery = .seconds(3_600)
            let summary = try await world.drain(world.delivery, settings: settings)
            #expect(summary.counts == [.completed: WorkerWorld.people])
            try await world.expectSound()
        }
    }

    @Test func `a worker does what dead ones left by itself, and ends only when that is done as well`() async throws {
        try await WorkerWorld.with { world in
            try await world.sql(
                """
                update public.recommendation_jobs set crash_count = 1, state = 'retryable', attempt = 1
                where id in (select id from public.recommendation_jobs order by id limit 3)
                """
            )
            let summary = try await world.drain(world.delivery)
            #expect(summary.counts == [.completed: WorkerWorld.people])
            let claims = world.observer.events.compactMap { event in
                if case .claimed(let jobs, let held) = event, jobs > 0 { [jobs, held] } else { nil }
            }
            #expect(claims == [[3, 3], [1, 1], [1, 1], [1, 1]])
            try await world.expectSound()
        }
    }
}
