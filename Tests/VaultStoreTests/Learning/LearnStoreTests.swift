import InventedSets
import KnotDomain
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import Learning
@testable import VaultStore

@Suite("Learning from stored feedback", .tags(.database)) struct LearnStoreTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_900_000_000_000)
    private static var limit: ContinuousClock.Instant { LastResort.end }

    @Test func `a vault that is not there is none`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let pool = try ConnectionPool(
                to: ConnectionTarget(url: database.url(user: "knot_worker")),
                PoolSettings(limit: 1)
            )
            let none = try await LearnStore(pool).learn(
                PostgresUUID(high: 1, low: 1),
                asOf: Self.now,
                until: Self.limit
            )
            #expect(none == nil)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `the worker learns what the evidence of a liked set names, once`(version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let set = try await world.store().store(world.record(), until: Self.limit)
            try await database.run("delete from public.recommendation_feedback")
            let learn = LearnStore(try world.pool())
            let silent = try await learn.learn(world.vault, asOf: Self.now, until: Self.limit)
            #expect(silent?.change == .silent)
            #expect(try await world.count("public.learned_weights") == 0)
            try await database.run(
                """
                insert into public.recommendation_feedback (recommendation_id, user_id, action)
                select id, '\(world.brief.vault.userID.text)', 'purchased' from public.recommendations
                where run_id = '\(set.runID)'
                """
            )
            let before = try await world.snapshot()
            let learned = try #require(try await learn.learn(world.vault, asOf: Self.now, until: Self.limit))
            #expect(learned.change == .learned && learned.weights.signalCount == 3)
            let names = learned.weights.factors.map(\.name)
            #expect(names.contains("hint") && names.contains { $0.hasPrefix("type:") })
            #expect(learned.weights.factors.allSatisfy { $0.weight > 1 })
            let after = try await world.snapshot()
            #expect(before.keys.filter { before[$0] != after[$0] } == ["public.learned_weights"])
            let again = try await learn.learn(world.vault, asOf: Self.now, until: Self.limit)
            #expect(again?.change == .unchanged)
            #expect(try await world.snapshot() == after)
            try await database.run("delete from public.recommendation_feedback")
            let undone = try await learn.learn(world.vault, asOf: Self.now, until: Self.limit)
            #expect(undone?.change == .learned && undone?.weights.factors.isEmpty == true)
            #expect(try await world.count("public.learned_weights where weights = '{}' and revision = 2") == 1)
        }
    }

    @Test func `a look back replaces no newer weights, and tells what was known then`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let set = try await world.store().store(world.record(), until: Self.limit)
            try await database.run("delete from public.recommendation_feedback")
            for (action, day) in [("purchased", "2029-03-01"), ("selected", "2029-06-01")] {
                try await database.run(
                    """
                    insert into public.recommendation_feedback (recommendation_id, user_id, action, created_at)
                    select id, '\(world.brief.vault.userID.text)', '\(action)', '\(day)' from public.recommendations
                    where run_id = '\(set.runID)'
                    """
                )
            }
            let learn = LearnStore(try world.pool())
            let newer = try #require(Instant(iso8601: "2029-07-01T00:00:00Z"))
            let past = try #require(Instant(iso8601: "2029-04-01T00:00:00Z"))
            #expect(try await learn.learn(world.vault, asOf: newer, until: Self.limit)?.change == .learned)
            let before = try await world.snapshot()
            let back = try #require(try await learn.learn(world.vault, asOf: past, until: Self.limit))
            #expect(back.change == .kept && back.weights.asOf == past && back.weights.signalCount == 3)
            #expect(try await world.snapshot() == before)
            #expect(try await learn.learnAll(asOf: past) == 1)
            #expect(try await world.snapshot() == before)
        }
    }

    @Test func `all vaults are learned from, and eight at once agree`() async throws {
        try await ImportedWorld.with(limit: 8) { world in
            try await world.database.run(SchemaSeed.script(people: 1...30))
            try await world.database.run("delete from public.learned_weights")
            try await world.database.run(
                """
                insert into public.recommendation_feedback (recommendation_id, user_id, action)
                select r.id, v.user_id, 'purchased' from public.recommendations r
                join public.partner_vaults v on v.id = r.vault_id
                """
            )
            let learn = LearnStore(world.pool)
            let count = try await learn.learnAll(asOf: Self.now)
            #expect(count == 30)
            #expect(try await world.count("public.learned_weights where revision = 1") == 30)
            let vault = try #require(PostgresUUID(SchemaSeed.id(SchemaSeed.vaultKind, of: 1)))
            try await world.database.run("update public.learned_weights set weights = '{\"a\": 1}'")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...8 {
                    group.addTask { _ = try await learn.learn(vault, asOf: Self.now, until: Self.limit) }
                }
                try await group.waitForAll()
            }
            #expect(try await world.count("public.learned_weights where vault_id = '\(vault)' and revision = 2") == 1)
        }
    }
}
