import Evaluation
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

@Suite("The catalogue's pages", .tags(.database)) struct CatalogueCheckerTests {
    @Test func `that are not there are no verdict`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let checker = try CatalogueChecker(StoreDesk.pool(database), vault: nil)
            do throws(StageFailure) {
                _ = try await checker.probe(.invented("a:b:c", "Map", provider: .catalogue))
                Issue.record("a page was found")
            } catch {
                #expect(error.failureClass == .provider && error.code == "no_page")
            }
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `say of a fixture's candidates what the fixture says`(on version: ServerVersion) async throws {
        let fixtures = try JudgedFixtures.all().map(\.fixture)
        try await withDatabase(version, .migrated) { database in
            try await database.run(
                fixtures.map { StoredFixture($0).sql + StoredFixture($0).catalogue() }.joined()
                    + StoredFixture(fixtures[0]).catalogue(forEverybody: true)
            )
            let pool = try StoreDesk.pool(database)
            for fixture in fixtures.prefix(6) {
                let checker = CatalogueChecker(pool, vault: fixture.vault.id)
                let world = FixtureWorld(fixture)
                for candidate in fixture.candidates {
                    let expected = try await world.probe(candidate)
                    #expect(try await checker.probe(candidate) == expected, "\(fixture.name) \(candidate.id)")
                }
            }
            let everybody = CatalogueChecker(pool, vault: nil)
            let provider = CatalogueProvider(pool, vault: nil)
            let found = try await provider.candidates(
                for: CatalogueDesk.query(["book", "garden", "clean"], .firecrawl)
            )
            #expect(!found.isEmpty)
            for candidate in found { _ = try await everybody.probe(candidate) }
        }
    }
}
