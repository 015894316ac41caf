import ReminderStore
import TestSupport
import Testing
import Worker
import WorkerScene

/// Jobs whose worker died: one of them may be why, and the others must not end for it.
@Suite(.tags(.database)) struct SuspectJobTests {
    private static let isDue = "update public.recommendation_jobs set run_at = knot.clock() - interval '1 s'"

    /// As if a worker had died with these.
    private static func die(_ jobs: [ClaimedReminder], in world: QueueWorld) async throws -> RescuedJobs {
        try await world.expire(jobs)
        return try await world.queue.rescue(100)
    }

    @Test func `a job that kills every worker is put aside by the third, and all others are done`() async throws {
        try await QueueWorld.with { world in
            let poison = try await world.value(
                "select id from public.recommendation_jobs order by md5(id::text) limit 1"
            )
            var deaths: [RescuedJobs] = []
            while deaths.count < 10 {
                try await world.sql("\(Self.isDue) where state in ('available', 'retryable')")
                let jobs = try await world.claimed()
                if jobs.isEmpty { break }
                if jobs.contains(where: { $0.id.description == poison }) {
                    deaths.append(try await Self.die(jobs, in: world))
                } else {
                    for job in jobs { #expect(try await world.queue.cancel(job.claim, code: "day_changed")) }
                }
            }
            #expect(deaths.map(\.dead) == [0, 0, 1])
            #expect(try await world.states() == ["dead": 1, "cancelled": QueueWorld.people - 1])
            #expect(try await world.notifications("failed") == 1)
        }
    }

    @Test func `however often workers die at once, no job is put aside that was not alone with its worker twice`()
        async throws
    {
        try await QueueWorld.with { world in
            // One with all of them, and one with each.
            for _ in 0...QueueWorld.people {
                // What was held alone waits longer than the others.
                try await world.sql("\(Self.isDue) where state in ('available', 'retryable') and crash_count < 2")
                let jobs = try await world.claimed()
                #expect(try await Self.die(jobs, in: world).dead == 0)
            }
            #expect(try await world.states() == ["retryable": QueueWorld.people])
            #expect(try await world.value("select min(crash_count) from public.recommendation_jobs") == "2")
        }
    }

    @Test func `what a dead worker held comes after all others, and only to who holds nothing`() async throws {
        try await QueueWorld.with { world in
            let lost = try await world.claimed(2)
            #expect(try await Self.die(lost, in: world).waiting == 2)
            try await world.sql("\(Self.isDue), priority = 1 where state = 'retryable'")
            let worker = WorkerID.random
            let fresh = try await world.claimed(by: worker)
            #expect(fresh.map(\.crashes) == [0, 0, 0])
            #expect(try await world.claimed(by: worker).isEmpty)
            // Somebody else has hands free.
            let other = try await world.claimed()
            #expect(other.map(\.crashes) == [1])
            for job in fresh { #expect(try await world.queue.cancel(job.claim, code: "day_changed")) }
            #expect(try await world.claimed(by: worker).map(\.crashes) == [1])
        }
    }

    @Test func `with a job that one dead worker held comes what is due of its vault, and with one of two nothing`()
        async throws
    {
        try await QueueWorld.with { world in
            try await world.addAnotherDay()
            let lost = try await world.claimed(20)
            #expect(try await Self.die(lost, in: world).waiting == 10)
            try await world.sql(Self.isDue)
            let pair = try await world.claimed(20)
            #expect(pair.map(\.crashes) == [1, 1] && Set(pair.map(\.vault)).count == 1)
            #expect(try await Self.die(pair, in: world).waiting == 2)
            try await world.sql(
                "update public.recommendation_jobs set state = 'cancelled', finished_at = now() where crash_count = 1"
            )
            try await world.sql("\(Self.isDue) where state = 'retryable'")
            let alone = try await world.claimed(20)
            #expect(alone.map(\.crashes) == [2])
            for job in alone { #expect(try await world.queue.cancel(job.claim, code: "day_changed")) }
            #expect(try await world.claimed(20).map(\.crashes) == [2])
        }
    }
}
