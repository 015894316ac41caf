import Fixtures
import JSONDocument
import KnotDomain
import LocalPostgres
import PostgresClient
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

/// What `learn` stored is what the next run goes by, wherever the vault lies.
@Suite("Runs by learned weights", .tags(.database)) struct LearnedRunTests {
    private static let settings = ["combine.learned=1"]

    /// The fixture run with its vault as some source has it.
    private static func ranked(_ found: FixtureCase, _ vaults: (any VaultSource)? = nil) async throws -> [String] {
        var ports = StagePorts(
            found,
            asOf: nil,
            refresh: nil,
            zones: ZoneDirectory(),
            clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        )
        if let vaults { ports.vaults = vaults }
        let plan = try Scene.plan("choice-of-three", settings: settings)
        return await Scene.engine.report(plan, ports: ports, options: RunOptions()).ranked
    }

    @Test func `weights in the database change the order, as the same weights in a file do`() async throws {
        let found = try #require(try JudgedFixtures.all().first)
        let vault = found.fixture.vault
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(StoredFixture(found.fixture).sql)
            let pool = try VaultDatabase.pool(database)
            let plain = try await Self.ranked(found)
            #expect(try await Self.ranked(found, PostgresVaultSource(pool)) == plain)
            let asOf = try #require(found.fixture.asOf)
            let taste = LearnedTaste(
                weights: ["type:gift": 0.5, "type:experience": 2, "type:date": 0.5],
                signalCount: 4,
                halfLifeDays: 365,
                asOf: asOf
            )
            let id = try #require(PostgresUUID(vault.id.text))
            // An import is its owner's work.
            let owner = try VaultDatabase.pool(database, user: RunningServer.user)
            _ = try await owner.withConnection(until: LastResort.end) { connection throws(PostgresError) in
                try await connection.run(taste.insertion(for: id))
            }
            await owner.close()
            let stored = try await PostgresVaultSource(pool).load(vault.id)
            #expect(stored.vault.learned == taste)
            let learned = try await Self.ranked(found, PostgresVaultSource(pool))
            #expect(learned != plain && Set(learned) == Set(plain))
            let types = Dictionary(uniqueKeysWithValues: found.fixture.candidates.map { ($0.id.text, $0.type) })
            func place(_ order: [String]) -> Int? { order.firstIndex { types[$0] == .experience } }
            #expect(try #require(place(learned)) <= #require(place(plain)))
            // The same in a file: a fixture whose vault says what was learned.
            let document = JSONReader(["vault": stored.vault.json]).required("vault").flatMap { Vault(reading: $0) }
            struct InFile: VaultSource {
                let vault: Vault
                func vault(_ id: VaultID) async throws(StageFailure) -> Vault { vault }
            }
            #expect(try await Self.ranked(found, InFile(vault: #require(document))) == learned)
            try await database.run("update public.learned_weights set weights = '{}'")
            #expect(try await Self.ranked(found, PostgresVaultSource(pool)) == plain)
        }
    }

    @Test func `a fixture's learned weights are imported with it and come out again`() async throws {
        try await ImportedWorld.with(limit: 2) { world in
            var document = try #require(
                try JSONParser.parse(FixtureLoader.bytes(StoredWorld.path("dev-01"))).object
            )
            let taste = LearnedTaste(
                weights: ["type:gift": 1.5],
                signalCount: 4,
                halfLifeDays: 90,
                asOf: Instant(millisecondsSinceEpoch: 1_700_000_000_000)
            )
            var vault = try #require(document["vault"]?.object)
            vault["learned"] = taste.json
            document["vault"] = .object(vault)
            let fixture = try FixtureDocument(parsing: JSONWriter.bytes(.object(document), style: .compact))
            let outcome = try await VaultImporter(world.pool).add(fixture, until: LastResort.end)
            let stored = try await PostgresVaultSource(world.pool).load(VaultID(outcome.vault.description))
            #expect(stored.vault.learned == taste)
            let exported = try await VaultExporter(world.pool).fixture(outcome.vault, until: LastResort.end)
            let learned = try #require(exported["vault"]?["learned"])
            #expect(JSONWriter.text(learned, style: .canonical) == JSONWriter.text(taste.json, style: .canonical))
        }
    }
}
