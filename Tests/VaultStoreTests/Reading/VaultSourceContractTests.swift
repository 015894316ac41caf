import Evaluation
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
            let source = try PostgresVaultSource(StoreDesk.pool(database, user: role))
            try await VaultSourceContract.verify(source, holding: fixtures.map(\.vault))
        }
    }
}
