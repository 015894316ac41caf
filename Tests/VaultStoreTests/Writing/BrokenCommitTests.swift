import Foundation
import InventedSets
import LocalPostgres
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

@Suite("Storing over a line that breaks", .onOwnThreads, .tags(.database)) struct BrokenCommitTests {
    /// One cut, a few of them, and as many as a soak asks for.
    private static let repeatCounts =
        [1, 3] + (ProcessInfo.processInfo.environment["KNOT_KILLS"].flatMap { Int($0) }.map { [$0] } ?? [])

    @Test(arguments: [WireProxy.Fault.cutBeforeCommit, .cutAfterCommit], repeatCounts)
    func `there is exactly one set at the end, and the caller has it`(fault: WireProxy.Fault, repeats: Int) async throws
    {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let proxy = try WireProxy(to: database.server.running.socketFolder + "/.s.PGSQL.5432")
            let target = try ConnectionTarget(url: proxy.url(database: database.name, user: "knot_worker"))
            let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
            let store = ChoiceStore(pool)
            for number in 1...repeats {
                proxy.breakLine(fault)
                let record = try world.record("r\(number)")
                let set = try await store.store(record, until: LastResort.end)
                #expect(set.isNew && set.result == record.result)
                let runs = try await world.count(
                    "public.recommendation_runs where identity = '\(record.identity.digest)'"
                )
                #expect(runs == 1)
                #expect(try await world.count("public.recommendations where run_id = '\(set.runID)'") == 3)
            }
            #expect(try await world.count("public.recommendation_runs") == repeats)
            await pool.close()
        }
    }

    @Test(arguments: [WireProxy.Fault.cutBeforeCommit, .cutAfterCommit], repeatCounts)
    func `of sets stored together there is exactly one each at the end`(
        fault: WireProxy.Fault,
        repeats: Int
    ) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let proxy = try WireProxy(to: database.server.running.socketFolder + "/.s.PGSQL.5432")
            let target = try ConnectionTarget(url: proxy.url(database: database.name, user: "knot_worker"))
            let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
            let store = ChoiceStore(pool)
            for number in 1...repeats {
                proxy.breakLine(fault)
                let sets = try (1...4).map { PendingSet(try world.record("r\(number)/\($0)")) }
                let stored = try await store.store(all: sets, each: LastResort.limit).map { try $0.get() }
                #expect(stored.allSatisfy(\.isNew) && stored.map(\.result) == sets.map(\.record.result))
                let ids = stored.map { "'\($0.runID)'" }.joined(separator: ", ")
                #expect(try await world.count("public.recommendations where run_id in (\(ids))") == 12)
            }
            #expect(try await world.count("public.recommendation_runs") == 4 * repeats)
            await pool.close()
        }
    }

    @Test func `a server that never answers again leaves an error that says so`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let proxy = try WireProxy(to: database.server.running.socketFolder + "/.s.PGSQL.5432")
            let target = try ConnectionTarget(url: proxy.url(database: database.name, user: "knot_worker"))
            let store = ChoiceStore(
                ConnectionPool(to: target, PoolSettings(limit: 1)),
                reached: { if $0 == .beforeCommit { proxy.cut() } }
            )
            let record = try world.record()
            let code = await world.refusal { () async throws(VaultStoreError) in
                try await store.store(record, until: .now + .seconds(8))
            }
            #expect(code == .unknown)
            #expect(try await world.count("public.recommendation_runs") <= 1)
        }
    }
}
