import Fixtures
import JSONDocument
import KnotDomain
import LocalPostgres
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("Reading vaults together", .tags(.database)) struct VaultGroupTests {
    private static let limit = Duration.seconds(60)

    @Test func `one whose rows are no vault, and one that is gone, leave the others alone`() async throws {
        try await Self.withVaults(3) { database, pool, fixtures in
            let ids = fixtures.map(\.vault.id)
            try await database.run(VaultFailureTests.withoutRules)
            try await database.run(
                """
                update public.partner_milestones set milestone_date = 'infinity' where id in (
                    select id from public.partner_milestones where vault_id = '\(ids[1])' limit 1);
                delete from public.partner_vaults where id = '\(ids[2])';
                """
            )
            let group = try await Self.group(ids + [VaultID("no id")], pool)
            #expect(try group.stored(ids[0]).vault == fixtures[0].vault)
            let failure = try #require(Self.failure(ids[1], group))
            #expect(failure.code == .unusable(ids[1]))
            #expect(failure.problems.contains { $0.path.hasPrefix("partner_milestones[") })
            for id in [ids[2], VaultID("no id")] {
                guard case .noVault? = Self.failure(id, group)?.code else { return #expect(Bool(false), "\(id)") }
            }
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `gives each what it gives alone, in one round trip`(version: ServerVersion) async throws {
        try await Self.withVaults(20, version) { database, pool, fixtures in
            try await database.run(
                """
                insert into public.catalogue_items (vault_id, source, candidate_id, provider, type, title, url, currency)
                select v.id, 'test', 'c' || n, 'amazon', 'gift', 'Map ' || n, 'https://shop.example/' || n, 'USD'
                from public.partner_vaults v, generate_series(1, 3) n
                """
            )
            let proxy = try WireProxy(to: database.server.running.socketFolder + "/.s.PGSQL.5432")
            let url = proxy.url(database: database.name, user: "knot_worker")
            let counted = ConnectionPool(to: try ConnectionTarget(url: url), PoolSettings(limit: 1))
            let ids = fixtures.map(\.vault.id)
            _ = try await Self.group([ids[0]], counted)
            let before = proxy.counts
            let group = try await Self.group(ids, counted)
            #expect((proxy.counts - before).roundTrips == 1)
            #expect(group.byteCount > 0)
            for fixture in fixtures {
                let together = try group.stored(fixture.vault.id)
                let source = PostgresVaultSource(pool, embeddings: .all, readsCatalogue: true)
                let alone = try await source.load(fixture.vault.id)
                #expect(together.vault == fixture.vault && together.vault == alone.vault)
                #expect(together.hintEmbeddings == alone.hintEmbeddings)
                #expect(together.imported == alone.imported && together.weights == alone.weights)
                #expect(together.hintReadings.map(\.inputDigest) == alone.hintReadings.map(\.inputDigest))
                #expect(together.catalogue?.count == 3 && alone.catalogue?.count == 3)
            }
            await counted.close()
        }
    }

    private static func group(_ ids: [VaultID], _ pool: ConnectionPool) async throws -> VaultGroup {
        try await PostgresVaultSource.group(ids, pool, embeddings: .all, until: .now + limit)
    }

    private static func failure(_ id: VaultID, _ group: VaultGroup) -> VaultStoreError? {
        do throws(VaultStoreError) {
            _ = try group.stored(id)
            return nil
        } catch {
            return error
        }
    }

    /// Judged vaults in a database, read as the worker.
    private static func withVaults(
        _ count: Int,
        _ version: ServerVersion = .eighteen,
        _ body: (TestDatabase, ConnectionPool, [Fixture]) async throws -> Void
    ) async throws {
        let fixtures = Array(try JudgedFixtures.all().map(\.fixture).prefix(count))
        try await withDatabase(version, .migrated) { database in
            for fixture in fixtures { try await database.run(StoredFixture(fixture).sql) }
            try await body(database, VaultDatabase.pool(database), fixtures)
        }
    }
}
