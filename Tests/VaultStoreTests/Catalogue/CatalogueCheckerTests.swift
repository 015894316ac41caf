import Fixtures
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

@Suite("The catalogue's pages", .tags(.database)) struct CatalogueCheckerTests {
    @Test func `whose id was too long to be looked up by are no verdict`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let checker = try CatalogueChecker(VaultDatabase.pool(database), vault: nil)
            let id = FoundItems.sharedID(of: String(repeating: "x", count: 200), from: "shop")
            do throws(StageFailure) {
                _ = try await checker.probe(.invented(id, "Map", provider: .catalogue))
                Issue.record("a page was found")
            } catch {
                #expect(error.failureClass == .provider && error.code == "no_page")
            }
        }
    }

    @Test func `that are in the table no longer are gone`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(CatalogueScenes.item("a", "Star map"))
            let checker = try CatalogueChecker(VaultDatabase.pool(database), vault: nil)
            let offer = Candidate.invented("shop:a", "Star map", provider: .catalogue)
            #expect(try await checker.probe(offer).status == 200)
            try await database.run("delete from public.catalogue_items")
            #expect(try await checker.probe(offer).status == 404)
            #expect(try await checker.probe(.invented("a:b:c", "Map", provider: .catalogue)).status == 404)
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
            let pool = try VaultDatabase.pool(database)
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
                for: CatalogueScenes.query(["book", "garden", "clean"], .firecrawl)
            )
            #expect(!found.isEmpty)
            for candidate in found { _ = try await everybody.probe(candidate) }
        }
    }

    @Test func `are looked up by an index, everybody's and a vault's own`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            try await database.run(
                """
                insert into public.catalogue_items (source, candidate_id, provider, type, title, url, currency)
                select 's' || n % 7, n, 'catalogue', 'gift', 'T', 'https://a.example', 'USD'
                from generate_series(1, 20000) n;
                \(CatalogueScenes.item("own:x", "Quilt", vault: fixture.vault.id)) analyze public.catalogue_items
                """
            )
            let pool = try VaultDatabase.pool(database)
            let vault = try #require(PostgresUUID(fixture.vault.id.text))
            for id in ["s3:10", "own:x", "a:b:c:d"] {
                let candidate = Candidate.invented(id, "T", provider: .catalogue)
                let statement = CatalogueChecker.statement(candidate, vault: vault)
                let plan = try await pool.read(["explain \(fragment: statement)"], until: LastResort.end)[0]
                let lines = try plan.map { row throws(PostgresError) in try row.decode(at: 0, as: String.self) }
                #expect(!lines.contains { $0.contains("Seq Scan") || $0.contains("_pkey") }, "\(lines)")
            }
            let checker = CatalogueChecker(pool, vault: fixture.vault.id)
            for id in ["s3:10", "own:x"] {
                _ = try await checker.probe(.invented(id, "T", provider: .catalogue))
            }
        }
    }
}
