import PostgresClient
import TestSupport
import Testing
import Worker
import WorkerScene

/// Workers beside somebody who holds the row of a vault.
@Suite(.tags(.database)) struct LockedVaultTests {
    @Test func `a vault that is locked waits for its turn, spends no attempt, and keeps no other waiting`()
        async throws
    {
        try await WorkerWorld.with(people: 3) { world in
            let vault = try #require(try await world.value("select min(id::text) from public.partner_vaults"))
            let holder = try await PlainConnection.open(world.database.url)
            try await holder.run("begin; select id from public.partner_vaults where id = '\(vault)' for update")
            let start = ContinuousClock.now
            try await world.drain(world.delivery)
            let took = ContinuousClock.now - start
            #expect(took < .seconds(5), "\(took)")
            let ofVault = "from public.recommendation_jobs where vault_id = '\(vault)'"
            #expect(try await world.value("select max(attempt) \(ofVault)") == "0")
            let others = "public.recommendation_jobs where state = 'completed' and vault_id <> '\(vault)'"
            #expect(try await world.count(others) > 0)
            #expect(
                try await world.count(
                    "public.recommendation_jobs where state <> 'completed' and state <> 'cancelled' "
                        + "and vault_id <> '\(vault)'"
                ) == 0
            )
            let waiting = world.observer.endings.filter { $0.code == "database_lock_timeout" }
            #expect(!waiting.isEmpty && waiting.allSatisfy { $0.outcome == .snoozed })
            try await holder.run("rollback")
            try await world.sql(
                "update public.recommendation_jobs set run_at = knot.clock() - interval '1 second' "
                    + "where state in ('available', 'retryable')"
            )
            try await world.drain(world.delivery)
            try await world.expectSound()
        }
    }
}
