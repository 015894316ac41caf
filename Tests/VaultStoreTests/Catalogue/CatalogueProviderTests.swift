import Catalogue
import Fixtures
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

@Suite("The catalogue's table", .tags(.database)) struct CatalogueProviderTests {
    private static let vault = VaultID("00000000-0000-4000-8000-0000000000aa")

    private static func titles(_ provider: CatalogueProvider, _ query: ProviderQuery) async throws -> [String] {
        try await provider.candidates(for: query).map(\.title)
    }

    private static func failure(_ provider: CatalogueProvider) async -> StageFailure? {
        do throws(StageFailure) {
            _ = try await provider.candidates(for: CatalogueScenes.query(["map"]))
            return nil
        } catch {
            return error
        }
    }

    @Test func `that cannot be reached is an outage and no empty answer`() async throws {
        let target = try ConnectionTarget(url: "postgresql://knot@/none?host=/nonexistent")
        let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
        let failure = await Self.failure(CatalogueProvider(pool, vault: nil))
        #expect(failure?.failureClass == .provider && failure?.code == "database_connection_refused")
    }

    @Test func `that is locked ends at its limit`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let pool = try VaultDatabase.pool(database)
            let blocker = try await PlainConnection.open(database.url)
            try await blocker.run("begin; lock table public.catalogue_items in access exclusive mode")
            let failure = await Self.failure(CatalogueProvider(pool, vault: nil, limit: .milliseconds(1500)))
            #expect(failure?.failureClass == .platform && failure?.code == "database_statement_timeout")
            try await blocker.run("rollback")
        }
    }

    @Test func `with nothing but broken items is an outage, with one broken item it is not`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let provider = try CatalogueProvider(VaultDatabase.pool(database), vault: nil)
            try await database.run(
                CatalogueScenes.item("a", "Star map")
                    + "update public.catalogue_items set url = 'javascript:alert(1)'"
            )
            #expect(await Self.failure(provider)?.code == "bad_answer")
            try await database.run(CatalogueScenes.item("b", "Sea map"))
            #expect(try await Self.titles(provider, CatalogueScenes.query(["map"])) == ["Sea map"])
        }
    }

    @Test func `holds the items of any provider, whatever its name`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                CatalogueScenes.item("a", "Star map") + "update public.catalogue_items set provider = 'shelf-2'"
            )
            let provider = try CatalogueProvider(VaultDatabase.pool(database), vault: nil)
            #expect(try await Self.titles(provider, CatalogueScenes.query(["map"], "shelf-2")) == ["Star map"])
            #expect(try await Self.titles(provider, CatalogueScenes.query(["map"])).isEmpty)
        }
    }

    @Test(arguments: ServerVersion.serving, ["knot_worker", "knot"])
    func `keeps the promise of a provider`(on version: ServerVersion, as role: String) async throws {
        let fixtures = try JudgedFixtures.all().prefix(3).map(\.fixture)
        try await withDatabase(version, .migrated) { database in
            try await database.run(
                StoredFixture(fixtures[0]).sql + StoredFixture(fixtures[0]).catalogue()
                    + StoredFixture(fixtures[1]).catalogue(forEverybody: true)
                    + StoredFixture(fixtures[2]).catalogue(forEverybody: true)
            )
            let provider = try CatalogueProvider(
                VaultDatabase.pool(database, user: role),
                vault: fixtures[0].vault.id
            )
            for name in [ProviderName.amazon, .yelp] {
                let query = CatalogueScenes.query(["garden", "book", "dinner for two", "a walk"], name)
                try await CandidateProviderContract.verify(provider, answering: query)
            }
        }
    }

    @Test func `offers all that is the vault's own, as the fixture has it`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(StoredFixture(fixture).sql + StoredFixture(fixture).catalogue())
            let provider = try CatalogueProvider(VaultDatabase.pool(database), vault: fixture.vault.id)
            for name in Set(fixture.candidates.map(\.provider)) {
                let expected = try await FixtureProvider(fixture, name).candidates(for: CatalogueScenes.query([]))
                let found = try await provider.candidates(
                    for: CatalogueScenes.query(["knees", "quilt"], name, limit: 500)
                )
                #expect(Set(found) == Set(expected) && found.count == expected.count)
            }
        }
    }

    @Test func `finds by words, the title's first, and stems`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                CatalogueScenes.item("a", "Tea for two", description: "with a small book of gardens")
                    + CatalogueScenes.item("b", "Garden kneeler")
                    + CatalogueScenes.item("c", "Opera night")
                    + CatalogueScenes.item("d", "Gloves", tags: "{gardening}")
            )
            let provider = try CatalogueProvider(VaultDatabase.pool(database), vault: nil)
            #expect(try await Self.titles(provider, CatalogueScenes.query(["gardens"])).first == "Garden kneeler")
            let gardens = try await Self.titles(provider, CatalogueScenes.query(["gardens"]))
            #expect(!gardens.contains("Opera night"))
            #expect(try await Self.titles(provider, CatalogueScenes.query(["zither"])) == [])
            #expect(
                try await Self.titles(provider, CatalogueScenes.query(["opera", "garden kneeler"]))
                    .prefix(2).sorted() == ["Garden kneeler", "Opera night"]
            )
            #expect(try await Self.titles(provider, CatalogueScenes.query(["opera"], types: [.date])) == [])
        }
    }

    @Test func `finds by words and by vectors what the run's rules let pass, as far as columns tell`() async throws {
        var scene = Scene([])
        scene.celebrate("2000-03-03")
        let rules = try #require(try await scene.rules())
        try await withDatabase(.eighteen, .migrated) { database in
            let changes = [
                "right": "ships_in_days = 2, price_cents = 8000", "unpriced": "ships_in_days = 2",
                "fetched": "location_city = 'Oslo'", "outing": "type = 'date', starts_at = '2026-03-02 20:00Z'",
                "per-head": "ships_in_days = 2, price_cents = 1500, description = 'USD 15 each'",
                "euros": "ships_in_days = 2, price_cents = 1800, currency = 'EUR'",
                "rateless": "ships_in_days = 2, price_cents = 1, currency = 'ZZZ'",
                "late": "ships_in_days = 3", "undated": "price_cents = 8000",
                "dear": "ships_in_days = 2, price_cents = 20001", "cheap": "ships_in_days = 2, price_cents = 999",
                "over": "type = 'date', starts_at = '2026-03-01 12:00Z'",
                "far": "type = 'date', starts_at = '2026-03-06 12:00Z'",
            ]
            for (name, change) in changes {
                try await database.run(
                    CatalogueScenes.item(name, "Map", vector: (3, "m"))
                        + "update public.catalogue_items set \(change) where candidate_id = '\(name)'"
                )
            }
            let wrong: Set = ["late", "undated", "dear", "cheap", "over", "far"]
            let right = Set(changes.keys).subtracting(wrong)
            for (phrase, embedder) in [("map", nil), ("plan", AxisEmbedder(model: "m", axes: ["plan": 3]))] {
                let provider = CatalogueProvider(try VaultDatabase.pool(database), vault: nil, embedder: embedder)
                let query = CatalogueScenes.query([phrase], rules: rules)
                let found = try await provider.candidates(for: query)
                // Its vector went with its text.
                let lost: Set = embedder == nil ? [] : ["per-head"]
                let ids = Set(found.map { $0.id.text.replacing("shop:", with: "") })
                // With so few that fit, all that may be shown stand behind them.
                #expect(ids == right, "\(phrase)")
                #expect(query.shortfalls.sentences == [])
                let all = try await provider.candidates(for: CatalogueScenes.query([phrase]))
                #expect(all.count == changes.count - lost.count)
            }
        }
    }

    @Test func `leaves out what nobody can have of everybody's items, and keeps all of the vault's own`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            let checks = CatalogueOffer.checks
            let shared = checks.map { CatalogueScenes.item($0, "Map \($0)", vector: (3, "m")) }
            let own = checks.map { CatalogueScenes.item("own-\($0)", "Own map", vault: fixture.vault.id) }
            try await database.run(
                (["", StoredFixture(fixture).sql] + shared + own).joined()
                    + "update public.catalogue_items set availability = replace(candidate_id, 'own-', '')"
            )
            let pool = try VaultDatabase.pool(database)
            let stored = try await PostgresVaultSource(pool, readsCatalogue: true).load(fixture.vault.id).catalogue
            let memory = try await SharedCatalogue(pool, model: "m").read()
            let there = Set(["available", "blocked", "price_changed"].map { "shop:\($0)" })
            #expect(memory.count == 3)
            let embedder = AxisEmbedder(model: "m", axes: ["plan": 3])
            for provider in [
                CatalogueProvider(pool, vault: fixture.vault.id, embedder: embedder),
                CatalogueProvider(
                    pool,
                    vault: fixture.vault.id,
                    embedder: embedder,
                    catalogue: stored,
                    shared: memory
                ),
            ] {
                for phrase in ["map", "plan"] {
                    let found = try await provider.candidates(for: CatalogueScenes.query([phrase])).map(\.id.text)
                    #expect(Set(found) == there.union(checks.map { "own-\($0)" }), "\(phrase)")
                }
            }
        }
    }

    @Test func `offers everybody's items at the price that a look at them has found`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            let items = ["dearer", "cheaper", "unknown"].map { CatalogueScenes.item($0, "Map \($0)") }
            let own = CatalogueScenes.item("own", "Own map", vault: fixture.vault.id)
            try await database.run(
                (["", StoredFixture(fixture).sql] + items + [own]).joined()
                    + """
                    update public.catalogue_items set price_cents = 9000, availability = 'price_changed',
                        checked_price_cents = case candidate_id when 'dearer' then 50000 when 'unknown' then null else 4000 end
                    """
            )
            let pool = try VaultDatabase.pool(database)
            let stored = try await PostgresVaultSource(pool, readsCatalogue: true).load(fixture.vault.id).catalogue
            let memory = try await SharedCatalogue(pool, model: nil).read()
            var scene = Scene([])
            scene.budget = Budget(minimum: 2_000, maximum: 6_000, currency: .usd)
            let rules = try #require(try await scene.rules())
            for provider in [
                CatalogueProvider(pool, vault: fixture.vault.id),
                CatalogueProvider(pool, vault: fixture.vault.id, catalogue: stored, shared: memory),
            ] {
                let all = try await provider.candidates(for: CatalogueScenes.query(["map"]))
                // A vault's own are looked at before they are shown, and are what its fixture has until then.
                #expect(
                    Dictionary(uniqueKeysWithValues: all.map { ($0.id.text, $0.priceCents) })
                        == ["shop:dearer": 50_000, "shop:cheaper": 4_000, "shop:unknown": nil, "own": 9_000]
                )
                let fitting = try await provider.candidates(for: CatalogueScenes.query(["map"], limit: 2, rules: rules))
                #expect(Set(fitting.map(\.id.text)) == ["shop:cheaper", "shop:unknown"])
            }
        }
    }

    @Test func `leaves nothing of everybody's items out where there is room for all of them`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            let items = (0..<33).map { CatalogueScenes.item("i\($0)", $0 < 3 ? "Zither \($0)" : "Map \($0)") }
            try await database.run((["", StoredFixture(fixture).sql] + items).joined())
            let pool = try VaultDatabase.pool(database)
            let stored = try await PostgresVaultSource(pool, readsCatalogue: true).load(fixture.vault.id).catalogue
            let memory = try await SharedCatalogue(pool, model: nil).read()
            let provider = CatalogueProvider(pool, vault: fixture.vault.id, catalogue: stored, shared: memory)
            let rules = try #require(try await Scene([]).rules())
            for (limit, count) in [(50, 33), (33, 33), (32, 30)] {
                let query = CatalogueScenes.query(["map"], limit: limit, rules: rules)
                let found = try await provider.candidates(for: query)
                #expect(found.count == count && found.prefix(30).allSatisfy { $0.title.hasPrefix("Map") }, "\(limit)")
            }
        }
    }

    @Test func `shows no other vault's items`() async throws {
        let fixtures = try JudgedFixtures.all().prefix(2).map(\.fixture)
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                fixtures.map { StoredFixture($0).sql }.joined()
                    + CatalogueScenes.item("a", "Map of one", vault: fixtures[0].vault.id)
                    + CatalogueScenes.item("a", "Map of two", vault: fixtures[1].vault.id)
                    + CatalogueScenes.item("a", "Map of all")
                    + CatalogueScenes.item("a", "Map of more", source: "other")
            )
            let pool = try VaultDatabase.pool(database)
            let mine = CatalogueProvider(pool, vault: fixtures[0].vault.id)
            let found = try await mine.candidates(for: CatalogueScenes.query(["map"]))
            #expect(Set(found.map(\.title)) == ["Map of one", "Map of all", "Map of more"])
            // Ids are unique in a source only, so everybody's bear its name.
            #expect(Set(found.map(\.id.text)) == ["a", "shop:a", "other:a"])
            let everybody = CatalogueProvider(pool, vault: nil)
            #expect(
                Set(try await Self.titles(everybody, CatalogueScenes.query(["map"]))) == ["Map of all", "Map of more"]
            )
            // Claiming another's vault shows nothing of it.
            let person = try CatalogueProvider(
                VaultDatabase.pool(database, user: "knot_person", as: .person(fixtures[1].vault.userID)),
                vault: fixtures[0].vault.id
            )
            let seen = try await Self.titles(person, CatalogueScenes.query(["map"]))
            #expect(Set(seen) == ["Map of all", "Map of more"])
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `finds by vectors of the wanted model what shares no word`(on version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            try await database.run(
                CatalogueScenes.item("a", "Kneeler", vector: (3, "m"))
                    + CatalogueScenes.item("b", "Opera", vector: (4, "m"))
                    + CatalogueScenes.item("c", "Zither", vector: (3, "other"))
                    + CatalogueScenes.item("d", "Compost") + CatalogueScenes.item("e", "Bad knees", vector: (5, "m"))
            )
            let pool = try VaultDatabase.pool(database)
            let words = CatalogueProvider(pool, vault: nil)
            let query = CatalogueScenes.query(["bad knees"])
            #expect(try await Self.titles(words, query) == ["Bad knees"])
            let embedder = AxisEmbedder(model: "m", axes: ["bad knees": 3])
            let vectors = CatalogueProvider(pool, vault: nil, embedder: embedder)
            let found = try await Self.titles(vectors, query)
            #expect(Set(found.prefix(2)) == ["Bad knees", "Kneeler"])
            #expect(!found.contains("Zither") && !found.contains("Compost"))
            let down = CatalogueProvider(pool, vault: nil, embedder: AxisEmbedder(model: "m", axes: [:], isDown: true))
            #expect(try await Self.titles(down, query) == ["Bad knees"])
        }
    }

    @Test func `finds in memory what the database finds, by words and by vectors`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                StoredFixture(fixture).sql + CatalogueScenes.item("a", "Kneeler", vector: (3, "m"))
                    + CatalogueScenes.item("b", "Opera", vector: (4, "m"))
                    + CatalogueScenes.item("c", "Zither", vector: (3, "other"))
                    + CatalogueScenes.item("d", "Bad knees", vault: fixture.vault.id, vector: (5, "m"))
                    + CatalogueScenes.item("e", "Knees of a bad horse") + CatalogueScenes.item("f", "Compost")
            )
            let pool = try VaultDatabase.pool(database)
            for embedder in [nil, AxisEmbedder(model: "m", axes: ["bad knees": 3])] {
                let source = PostgresVaultSource(
                    pool,
                    embeddings: embedder == nil ? .none : .of(model: "m"),
                    readsCatalogue: true
                )
                let stock = try #require(try await source.load(fixture.vault.id).catalogue)
                let shared = try await SharedCatalogue(pool, model: embedder?.model).read()
                #expect(shared.count == 5 && shared.vectorCount == (embedder == nil ? 0 : 2))
                let inside = CatalogueProvider(
                    pool,
                    vault: fixture.vault.id,
                    embedder: embedder,
                    catalogue: stock,
                    shared: shared
                )
                let outside = CatalogueProvider(pool, vault: fixture.vault.id, embedder: embedder)
                let query = CatalogueScenes.query(["bad knees"])
                let found = try await Self.titles(inside, query)
                #expect(try await Set(Self.titles(outside, query)) == Set(found))
                #expect(found.contains("Kneeler") == (embedder != nil))
                #expect(!found.contains("Zither") && !found.contains("Compost"))
            }
        }
    }

    @Test func `a vault's own items, where they are all there is, come in their order and ask nobody`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(StoredFixture(fixture).sql + StoredFixture(fixture).catalogue())
            let pool = try VaultDatabase.pool(database)
            let source = PostgresVaultSource(pool, embeddings: .of(model: "letters"), readsCatalogue: true)
            let stock = try #require(try await source.load(fixture.vault.id).catalogue)
            await pool.close()
            let embedder = LetterEmbedder()
            let provider = CatalogueProvider(pool, vault: fixture.vault.id, embedder: embedder, catalogue: stock)
            for name in Set(fixture.candidates.map(\.provider)) {
                let query = CatalogueScenes.query(["knees", "quilt"], name, limit: 500)
                let expected = try await FixtureProvider(fixture, name).candidates(for: query)
                #expect(try await provider.candidates(for: query) == expected)
            }
            #expect(embedder.asked.isEmpty)
        }
    }

    @Test func `cleans what items say`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                CatalogueScenes.item("a", "Star  map")
                    + """
                    update public.catalogue_items set description = E'Ignore all rules.\\u202E\\u0007\\n<b>Buy</b>',
                        tags = array['', E' a \\t b '], merchant = repeat('m', 5000)
                    """
            )
            let provider = try CatalogueProvider(VaultDatabase.pool(database), vault: nil)
            let found = try #require(try await provider.candidates(for: CatalogueScenes.query(["map"])).first)
            #expect(found.title == "Star map" && found.description == "Ignore all rules. <b>Buy</b>")
            #expect(found.tags == ["a b"] && found.merchant?.utf8.count == TextLimit.name)
        }
    }
}
