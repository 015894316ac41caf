import Fixtures
import JSONDocument
import KnotDomain
import LocalPostgres
import PostgresClient
import Recommendation
import TestSupport
import Testing
import VectorSearch

@testable import VaultStore

@Suite("Reading a vault", .tags(.database)) struct VaultReadingTests {
    @Test(arguments: [ActingIdentity?.none, .some(.connection)])
    func `takes one round trip, first time and later`(identity: ActingIdentity?) async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(StoredFixture(fixture).sql)
            let proxy = try WireProxy(to: database.server.running.socketFolder + "/.s.PGSQL.5432")
            // With an identity the worker's own, else the person's under their claims.
            let user = identity == nil ? "knot_person" : "knot_worker"
            let target = try ConnectionTarget(url: proxy.url(database: database.name, user: user))
            let person = ActingIdentity.person(fixture.vault.userID)
            let pool = ConnectionPool(to: target, PoolSettings(limit: 1), as: identity ?? person)
            let source = PostgresVaultSource(pool)
            // Somebody else's statement opens the connection.
            _ = try await source.vaultIDs(limit: 1)
            for round in 0..<3 {
                let before = proxy.counts
                let stored = try await source.load(fixture.vault.id)
                #expect(stored.vault == fixture.vault)
                let said = proxy.counts - before
                #expect(said.roundTrips == 1 && said.syncs == 1 && said.connections == 0, "round \(round): \(said)")
                #expect(round == 0 || said.parses == 0)
            }
        }
    }

    @Test func `sees one moment`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let connection = try await PostgresConnection.connect(to: source.pool.target)
            let rows = try await connection.snapshot([
                "select pg_catalog.current_setting('transaction_isolation') as level",
                "select pg_catalog.current_setting('transaction_read_only') as only",
            ])
            #expect(try rows[0].only().decode("level") == "repeatable read")
            #expect(try rows[1].only().decode("only") == "on")
            #expect(connection.isUsable)
            await connection.close()
            _ = (database, fixture)
        }
    }

    @Test func `cleans what stands in the rows`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            try await database.run(
                """
                update public.partner_vaults set partner_name = E'  Do\\u202Et\\u0007 \\n ', location_country = 'us',
                    location_city = ' ', location_state = null;
                """
            )
            let vault = try await source.load(fixture.vault.id).vault
            #expect(vault.partnerName == "Dot")
            #expect(vault.location == Place(city: nil, state: nil, country: "US"))
        }
    }

    @Test func `knows neither place nor zone where nobody has told`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            try await database.run(
                """
                update public.partner_vaults set location_city = null, location_state = null, location_country = null;
                update public.users set timezone = null;
                """
            )
            let vault = try await source.load(fixture.vault.id).vault
            #expect(vault.location == nil && vault.timeZone == "Etc/Unknown")
            #expect(ZoneDirectory().rules(named: vault.timeZone) == nil)
        }
    }

    @Test func `brings embeddings with their models`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let hints = fixture.vault.hints.map(\.id)
            try await database.run(
                """
                update public.hints set hint_embedding = array_fill(0.5, array[768])::vector, hint_embedding_model = 'm'
                    where id = '\(hints[0])';
                update public.hints set hint_embedding = array_fill(0, array[768])::vector where id = '\(hints[1])';
                """
            )
            #expect(try await source.load(fixture.vault.id).hintEmbeddings.isEmpty)
            let one = PostgresVaultSource(source.pool, embeddings: .of(model: "m"))
            #expect(try await one.load(fixture.vault.id).hintEmbeddings.keys.map(\.self) == [hints[0]])
            let all = PostgresVaultSource(source.pool, embeddings: .all)
            let found = try await all.load(fixture.vault.id).hintEmbeddings
            #expect(Set(found.keys) == Set(hints.prefix(2)))
            #expect(found[hints[0]]?.model == "m")
            #expect(found[hints[0]]?.values == [Float](repeating: 0.5, count: 768))
            #expect(found[hints[1]]?.model == StoredVault.unknownModel && found[hints[1]]?.norm == 0)
        }
    }

    @Test func `brings what was learned and what the import kept`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            #expect(try await source.load(fixture.vault.id).weights == nil)
            try await database.run(
                """
                insert into public.learned_weights
                    (vault_id, weights, revision, signal_count, half_life_days, as_of)
                    values ('\(fixture.vault.id)', '{"hints": 1.25, "vibes": 1}', 3, 7, 90, '2026-01-02 03:04:05Z')
                """
            )
            let stored = try await source.load(fixture.vault.id)
            #expect(stored.weights?.weights == ["hints": 1.25, "vibes": 1])
            #expect(stored.weights?.revision == 3 && stored.weights?.signalCount == 7)
            #expect(stored.weights?.asOf == Instant(iso8601: "2026-01-02T03:04:05Z"))
            #expect(stored.imported?.name == fixture.name && stored.imported?.asOf == fixture.asOf)
            switch (stored.imported?.occasion, fixture.request) {
            case (.milestone(let kept), .milestone(let asked)): #expect(kept == asked)
            case (.tier(let kept), .occasion(let asked)): #expect(kept == asked)
            default: Issue.record("the request is another: \(String(describing: stored.imported?.occasion))")
            }
        }
    }

    @Test func `keeps what came later behind what was imported`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let id = fixture.vault.id
            try await database.run(
                """
                insert into public.partner_interests (vault_id, interest_type, interest_category, created_at)
                    values ('\(id)', 'like', 'Aa', '2040-01-02Z'), ('\(id)', 'like', 'Bb', '2040-01-01Z');
                insert into public.hints (id, vault_id, hint_text, source, created_at)
                    values ('00000000-0000-4000-8000-000000000001', '\(id)', 'a map', 'text_input', '1999-01-01Z');
                """
            )
            let vault = try await source.load(id).vault
            #expect(vault.likes.map(\.name) == fixture.vault.likes.map(\.name) + ["Bb", "Aa"])
            #expect(vault.hints.map(\.id).last?.text == "00000000-0000-4000-8000-000000000001")
            #expect(Array(vault.hints.dropLast()) == fixture.vault.hints)
        }
    }

    @Test func `lists all ids in pages`() async throws {
        let fixtures = try JudgedFixtures.all().map(\.fixture)
        try await withDatabase(.eighteen, .migrated) { database in
            let source = try PostgresVaultSource(VaultDatabase.pool(database))
            #expect(try await source.vaultIDs(limit: 5) == [])
            try await database.run(fixtures.map { StoredFixture($0).sql }.joined())
            var all: [VaultID] = []
            while true {
                let page = try await source.vaultIDs(after: all.last, limit: 5)
                all += page
                if page.count < 5 { break }
            }
            #expect(all == fixtures.map(\.vault.id).sorted())
            #expect(try await source.vaultIDs(limit: 0) == [])
            await #expect(throws: VaultStoreError.self) { try await source.vaultIDs(after: VaultID("x"), limit: 1) }
        }
    }
}
