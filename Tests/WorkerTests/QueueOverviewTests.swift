import KnotDomain
import Operations
import PostgresClient
import ReminderStore
import TestSupport
import Testing
import WorkerScene

@Suite("The operators' overview", .tags(.database))
struct QueueOverviewTests {
    private func overview(_ pool: ConnectionPool) async throws -> OperationsOverview {
        try await QueueOverview(pool).overview(until: LastResort.end).get()
    }

    @Test func `counts what waits, by day and by state, with what is due and since when`() async throws {
        try await WorkerWorld.with(due: [7]) { world async throws in
            try await world.enqueue(3)
            try await world.sql(
                "update recommendation_jobs set run_at = run_at + interval '4 days' where days_before = 3"
            )
            let found = try await overview(world.scene.pool)
            #expect(found.days.map(\.waiting) == [6, 0, 0, 0, 6] + Array(repeating: 0, count: 10))
            #expect(found.days.first?.day == CivilDate(year: 2026, month: 5, day: 9))
            #expect(found.states.map(\.state) == ["available"])
            #expect(found.states.first?.jobs == 12 && found.states.first?.due == 6)
            let oldest = try #require(found.states.first?.oldestDue)
            #expect(oldest >= .seconds(60) && oldest < .seconds(600))
            #expect(found.workers.isEmpty && found.failures.isEmpty && found.sets.isEmpty)
        }
    }

    @Test func `names who holds jobs, and only counts them for whoever may not know`() async throws {
        try await WorkerWorld.with(due: [7]) { world async throws in
            let worker = "11111111-2222-4333-8444-555555555555"
            try await world.sql("select api.claim_jobs('\(worker)', 4, 60)")
            let seen = try await overview(world.scene.pool).workers
            #expect(seen.map(\.name) == [worker] && seen.first?.held == 4 && seen.first?.overdue == 0)
            try await world.sql("revoke select (claimed_by) on recommendation_jobs from knot_worker")
            let counted = try await overview(world.scene.pool).workers
            #expect(counted.map(\.held) == [4] && counted.first?.name != worker)
            try await world.sql("update recommendation_jobs set lease_until = lease_until - interval '1 hour'")
            let late = try #require(try await overview(world.scene.pool).workers.first)
            #expect(late.overdue == 4 && late.leaseLeft < .seconds(-3_000))
        }
    }

    @Test func `shows what failed with the command that mends it, and sets by their titles only`() async throws {
        try await WorkerWorld.with(due: [7], people: 3) { world async throws in
            try await world.drain(world.delivery)
            let done = try await overview(world.scene.pool)
            #expect(done.days.first?.completed == 3 && done.sets.count == 3)
            #expect(done.sets.allSatisfy { $0.titles.count == 3 && $0.titles.allSatisfy { !$0.isEmpty } })
            let titles = try await world.sql("select title from recommendations").compactMap { $0[0] }
            #expect(Set(done.sets.flatMap(\.titles)).isSubset(of: titles))
            let job = try #require(try await world.value("select id from recommendation_jobs order by id limit 1"))
            try await world.sql(
                """
                update recommendation_jobs set state = 'dead', last_error_class = 'platform',
                    last_error_code = 'webhook_status_401', last_error_detail = 'it said no' where id = '\(job)'
                """
            )
            let failure = try #require(try await overview(world.scene.pool).failures.first)
            #expect(failure.command == "knot-recommend jobs retry --job \(job)")
            #expect(failure.code == "webhook_status_401" && failure.detail == "it said no")
        }
    }

    @Test func `shows of each set its run's nodes, with what fed them, their times and what they let through`()
        async throws
    {
        try await WorkerWorld.with(due: [7], people: 2) { world async throws in
            try await world.drain(world.delivery)
            let found = try await overview(world.scene.pool)
            for set in found.sets {
                let brief = try #require(set.nodes.first { $0.name == "brief" })
                #expect(brief.state == "succeeded" && brief.start != nil && brief.took != nil && brief.after.isEmpty)
                let pool = try #require(set.nodes.first { $0.name == "within_budget" })
                #expect((pool.incoming ?? 0) >= (pool.outgoing ?? .max) && !pool.after.isEmpty)
            }
            let well = try #require(found.providers.first)
            #expect(well.asked == 2 && well.failed == 0 && well.code == nil && (well.took ?? -1) >= 0)
            try await world.sql(
                """
                update recommendation_runs set timings = jsonb_set(
                    timings, '{nodes}', (
                        select jsonb_agg(case when n ->> 1 = 'source.provider' then jsonb_set(n, '{7}', '"timeout"') else n end)
                        from jsonb_array_elements(timings -> 'nodes') n where n ->> 7 is null
                    )
                ) where id = (select min(id::text)::uuid from recommendation_runs)
                """
            )
            let failed = try #require(try await overview(world.scene.pool).providers.first { $0.name == well.name })
            #expect(failed.asked == 2 && failed.failed == 1 && failed.code == "timeout")
            try await world.sql("update recommendation_runs set timings = '{\"nodes\": 7}'")
            #expect(try await overview(world.scene.pool).sets.allSatisfy { $0.nodes.isEmpty && $0.titles.count == 3 })
            try await world.sql("revoke select (timings) on recommendation_runs from knot_worker")
            let less = try await overview(world.scene.pool)
            #expect(less.providers.isEmpty && less.sets.count == 2)
            let rest = await QueueOverview(world.scene.pool) { ["yelp": .init(calls: 500, left: 12)] }
                .overview(until: LastResort.end)
            #expect(try rest.get().providers.map(\.left) == [12])
        }
    }

    @Test func `of a queue that cannot be read is one sentence`() async throws {
        try await WorkerWorld.with(due: [7], people: 1) { world async throws in
            try await world.sql("revoke select on recommendation_jobs from knot_worker")
            let result = await QueueOverview(world.scene.pool).overview(until: LastResort.end)
            guard case .failure(let failure) = result else {
                Issue.record("it was read")
                return
            }
            #expect(failure.description.hasPrefix("The queue cannot be read: "))
        }
    }
}
