import InventedSets
import LocalPostgres
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

/// A crash before the COMMIT is flushed, after which the transaction's number is somebody else's.
@Suite("Storing under a number that was given out again", .tags(.database)) struct ReusedNumberStoreTests {
    private static func with(
        _ body: (StoredWorld, ConnectionPool, WireProxy, ReusedNumber) async throws -> Void
    ) async throws {
        try await TestServer.withOwn(settings: ReusedNumber.settings) { server in
            try await withDatabase(on: server, .migrated) { database in
                let world = try await StoredWorld.make(database)
                let proxy = try WireProxy(to: server.running.socketFolder + "/.s.PGSQL.5432")
                let target = try ConnectionTarget(url: proxy.url(database: database.name, user: "knot_worker"))
                let pool = ConnectionPool(to: target, PoolSettings(limit: 2))
                try await body(world, pool, proxy, ReusedNumber(server, database: database.name))
                await pool.close()
            }
        }
    }

    @Test func `a job of a set that was there before is not ended by the look of the set`() async throws {
        try await Self.with { world, pool, proxy, number in
            let milestone = try #require(PostgresUUID(world.milestone))
            let occurrence = try #require(world.brief.occurrence)
            let claim = try await pool.withConnection(until: LastResort.end) { connection throws(PostgresError) in
                _ = try await connection.run(
                    "select * from api.enqueue(array[\(milestone)], array[\(occurrence)], array[7], array[now()])"
                )
                return try await connection.run("select * from api.claim_jobs(\(PostgresUUID.random()))").only()
            }
            let job = ClaimedJob(id: try claim.decode("job_id"), token: try claim.decode("claim_token"))
            // The set is there already, as after a worker that died between the two.
            let earlier = try SetRecord(world.run, world.request("m", kind: .scheduled))
            let store = ChoiceStore(pool)
            _ = try await store.store(earlier, until: LastResort.end)
            let record = try SetRecord(world.run, world.request("m", kind: .scheduled, job: job))
            proxy.insteadOfCommit { await number.bringAbout() }
            let set = try await store.store(record, until: LastResort.end)
            #expect(number.fates == ["committed"])
            #expect(
                try await world.count(
                    "public.recommendation_jobs where state = 'completed' and run_id = '\(set.runID)'"
                ) == 1
            )
        }
    }

    @Test func `of sets stored together none is said to be there that is not, and no vault to be gone`() async throws {
        try await Self.with { world, pool, proxy, number in
            let sets = try (1...4).map { PendingSet(try world.record("r\($0)")) }
            proxy.insteadOfCommit { await number.bringAbout() }
            let stored = try await ChoiceStore(pool).store(all: sets, each: LastResort.limit).map { try $0.get() }
            #expect(number.fates == ["committed"])
            #expect(stored.map(\.result) == sets.map(\.record.result))
            #expect(try await world.count("public.recommendations where run_id is not null") == 12)
        }
    }
}
