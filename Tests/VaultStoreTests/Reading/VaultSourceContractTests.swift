import Fixtures
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

/// One promise, two adapters: whatever a vault is read from, it is the same vault.
@Suite("The promise of a vault source", .tags(.database)) struct VaultSourceContractTests {
    @Test func `is kept by fixtures`() async throws {
        for fixtureCase in try JudgedFixtures.all() {
            let world = FixtureWorld(fixtureCase.fixture)
            try await VaultSourceContract.verify(world, holding: [fixtureCase.fixture.vault])
        }
    }

    @Test(arguments: ServerVersion.serving, ["knot", "knot_worker"])
    func `is kept by the database`(on version: ServerVersion, as role: String) async throws {
        let fixtures = try JudgedFixtures.all().map(\.fixture)
        #expect(fixtures.count > 20)
        try await withDatabase(version, .migrated) { database in
            try await database.run(fixtures.map { StoredFixture($0).sql }.joined())
            let source = try PostgresVaultSource(VaultDatabase.pool(database, user: role))
            try await VaultSourceContract.verify(source, holding: fixtures.map(\.vault))
        }
    }

    @Test func `is kept for what the program's own import brought`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let importer = VaultImporter(try VaultDatabase.pool(database, user: "knot"))
            var vaults: [Vault] = []
            for file in try JudgedFixtures.files() {
                let document = try FixtureDocument(parsing: FixtureLoader.bytes(file))
                _ = try await importer.add(document, until: LastResort.end)
                vaults.append(try FixtureLoader().load(file).fixture.vault)
            }
            let source = try PostgresVaultSource(VaultDatabase.pool(database))
            try await VaultSourceContract.verify(source, holding: vaults)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `is kept for vaults that nobody would invent`(on version: ServerVersion) async throws {
        let fixtures = (0..<24).map { (seed: UInt64) in
            var random = RandomVault(seed: seed)
            return random.fixture()
        }
        try await withDatabase(version, .migrated) { database in
            try await database.run(fixtures.map { StoredFixture($0).sql }.joined())
            let source = try PostgresVaultSource(VaultDatabase.pool(database))
            for fixture in fixtures {
                let found = try await source.vault(fixture.vault.id)
                #expect(found == fixture.vault, "\(fixture.name)")
            }
        }
    }
}
