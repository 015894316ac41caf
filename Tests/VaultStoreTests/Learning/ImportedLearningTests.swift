import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import Learning
@testable import VaultStore

/// What an import brought along as learned, and what feedback here teaches, side by side.
@Suite("Learning over an import", .tags(.database)) struct ImportedLearningTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_900_000_000_000)
    private static let taste = LearnedTaste(
        weights: ["interest:Hiking": 1.5, "type:gift": 0.75],
        signalCount: 4,
        halfLifeDays: 90,
        asOf: Instant(millisecondsSinceEpoch: 1_700_000_000_000)
    )

    /// A vault that was imported with learned weights and without any feedback.
    private static func withImport(_ body: (ImportedWorld, PostgresUUID) async throws -> Void) async throws {
        try await ImportedWorld.with { world in
            let document = try FixtureDocument(
                parsing: JSONWriter.bytes(ImportedWorld.value("dev-01").setting(taste.json, at: "vault.learned"))
            )
            _ = try await world.importer.add(document, until: ImportedWorld.limit)
            try await world.database.run("delete from public.recommendation_feedback")
            try await body(world, ImportedWorld.id(document))
        }
    }

    private static func row(_ world: ImportedWorld) async throws -> [[String?]] {
        try await world.database.run("select to_jsonb(w) - 'updated_at' from public.learned_weights w")
    }

    /// Three purchases of what the vault was shown.
    private static func buy(_ world: ImportedWorld) async throws {
        try await world.database.run(
            """
            insert into public.recommendations (vault_id, recommendation_type, title)
                select id, 'experience', 'Kayak ' || n from public.partner_vaults, generate_series(1, 3) n;
            insert into public.recommendation_feedback (recommendation_id, user_id, action, created_at)
                select r.id, v.user_id, 'purchased', '2028-01-01'
                from public.recommendations r join public.partner_vaults v on v.id = r.vault_id
                where r.title like 'Kayak %'
            """
        )
    }

    @Test func `without feedback nothing is learned and nothing imported is lost`() async throws {
        try await Self.withImport { world, vault in
            let before = try await Self.row(world)
            let learned = try await LearnStore(world.pool).learn(vault, asOf: Self.now, until: ImportedWorld.limit)
            #expect(learned?.change == .unchanged)
            #expect(try await Self.row(world) == before)
        }
    }

    @Test func `feedback is laid over what was imported, and taken away again`() async throws {
        try await Self.withImport { world, vault in
            let before = try await world.database.run("select weights, signal_count, as_of from public.learned_weights")
            try await Self.buy(world)
            let store = LearnStore(world.pool)
            let learned = try #require(try await store.learn(vault, asOf: Self.now, until: ImportedWorld.limit))
            #expect(learned.change == .learned)
            let weights = learned.weights.weights
            let hiking = try #require(weights["interest:Hiking"]?.double)
            #expect(hiking > 1 && hiking < 1.5, "it has faded since")
            #expect((weights["type:experience"]?.double ?? 0) > 1)
            try await world.database.run("delete from public.recommendation_feedback")
            _ = try await store.learn(vault, asOf: Self.now, until: ImportedWorld.limit)
            let after = try await world.database.run("select weights, signal_count, as_of from public.learned_weights")
            #expect(after == before)
        }
    }

    @Test func `what was learned comes out with the vault`() async throws {
        try await Self.withImport { world, vault in
            let plain = try await world.exporter.fixture(vault, until: ImportedWorld.limit)
            #expect(plain["vault"]?["learned"]?.canonical == Self.taste.json.canonical)
            try await Self.buy(world)
            _ = try await LearnStore(world.pool).learn(vault, asOf: Self.now, until: ImportedWorld.limit)
            let exported = try await world.exporter.fixture(vault, until: ImportedWorld.limit)
            let learned = try #require(exported["vault"]?["learned"])
            let stored = try await world.database.run("select weights from public.learned_weights")
            let weights = try JSONParser.parse(Array((stored[0][0] ?? "").utf8))
            #expect(weights.canonical == learned["weights"]?.canonical)
            let again = JSONReader(exported).required("vault").flatMap { Vault(reading: $0) }
            #expect(again?.learned?.weights["type:experience"] != nil)
        }
    }

    @Test func `learning again at a later moment changes nothing`() async throws {
        try await Self.withImport { world, vault in
            try await Self.buy(world)
            let store = LearnStore(world.pool)
            _ = try await store.learn(vault, asOf: Self.now, until: ImportedWorld.limit)
            let before = try await Self.row(world)
            for days in [0, 1, 400] {
                let later = Instant(millisecondsSinceEpoch: Self.now.millisecondsSinceEpoch + Int64(days) * 86_400_000)
                let again = try await store.learn(vault, asOf: later, until: ImportedWorld.limit)
                #expect(again?.change == .unchanged)
                #expect(try await Self.row(world) == before)
            }
        }
    }

    @Test func `what is exported and imported again teaches nothing twice`() async throws {
        try await Self.withImport { world, vault in
            try await Self.buy(world)
            _ = try await LearnStore(world.pool).learn(vault, asOf: Self.now, until: ImportedWorld.limit)
            let exported = try await world.exporter.fixture(vault, until: ImportedWorld.limit)
            let document = try FixtureDocument(parsing: JSONWriter.bytes(exported))
            _ = try await world.importer.add(document, replaces: true, until: ImportedWorld.limit)
            #expect(try await world.count("public.recommendation_feedback") > 0)
            let again = try await LearnStore(world.pool).learn(vault, asOf: Self.now, until: ImportedWorld.limit)
            #expect(again?.change == .unchanged)
            let after = try await world.exporter.fixture(vault, until: ImportedWorld.limit)
            #expect(after["vault"]?["learned"]?.canonical == exported["vault"]?["learned"]?.canonical)
        }
    }
}
