import Fixtures
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import VaultStore

/// A server that is slow with some searches: what it does in time is the answer.
@Suite("A search of the catalogue's table that is overdue", .tags(.database)) struct TableSearchTests {
    /// Puts a view in the table's place that sleeps in statements of which the condition holds.
    private static func slow(_ condition: String, _ wait: String = "pg_sleep(1200)") -> String {
        """
        alter table public.catalogue_items rename to catalogue_kept;
        create function public.slow() returns boolean language sql volatile as
            $$ select case when \(condition) then \(wait) is not null else true end $$;
        create view public.catalogue_items as select * from public.catalogue_kept where (select public.slow());
        grant select on public.catalogue_items to public
        """
    }

    private static let byWords = "current_query() like '%ts_rank%'"
    private static let byMeaning = "current_query() like '%<=>%'"
    private static let limit = Duration.seconds(2)

    /// What is found by a provider with so much time, and what it says of it.
    private static func found(
        _ database: TestDatabase,
        phrases: [String],
        limit: Duration = TableSearchTests.limit
    ) async throws -> (titles: Set<String>, told: String) {
        let embedder = AxisEmbedder(model: "m", axes: ["bad knees": 3])
        let provider = CatalogueProvider(
            try VaultDatabase.pool(database),
            vault: nil,
            embedder: embedder,
            limit: limit
        )
        let query = CatalogueScenes.query(phrases)
        let titles = try await provider.candidates(for: query).map(\.title)
        return (Set(titles), query.shortfalls.sentences.joined(separator: "; "))
    }

    private static let stock =
        CatalogueScenes.item("a", "Kneeler", vector: (3, "m"))
        + CatalogueScenes.item("b", "Bad knees", vector: (5, "m"))
        + CatalogueScenes.item("c", "Zither")

    @Test func `by meaning is one by words`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(Self.stock)
            let quick = try await Self.found(database, phrases: ["bad knees"])
            #expect(quick.titles == ["Bad knees", "Kneeler"] && quick.told.isEmpty)
            try await database.run(Self.slow(Self.byMeaning))
            let late = try await Self.found(database, phrases: ["bad knees"])
            #expect(late.titles == ["Bad knees"])
            #expect(late.told.hasPrefix("only 0 of 1 phrases were searched for by meaning: "), "\(late.told)")
            #expect(late.told.contains("did not answer in time"), "\(late.told)")
        }
    }

    @Test func `that finds hardly anything has the first of all that may be shown`() async throws {
        var scene = Scene([])
        scene.likes = ["Star maps"]
        let rules = try #require(try await scene.rules())
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                """
                insert into public.catalogue_items
                    (source, candidate_id, provider, type, title, url, currency, price_cents)
                select 'shop', n::text, 'catalogue', 'gift', 'Star map ' || n, 'https://shop.example/' || n, 'USD',
                    90000000
                from generate_series(1, 50) n
                union all
                select 'shop', n::text, 'catalogue', 'gift', 'Kettle ' || n, 'https://shop.example/' || n, 'USD',
                    case when n > 2100 then 8000 else 90000000 end
                from generate_series(51, 2103) n
                """
            )
            let provider = CatalogueProvider(try VaultDatabase.pool(database), vault: nil)
            let query = CatalogueScenes.query(["star maps"], rules: rules)
            let found = try await provider.candidates(for: query).map(\.title)
            #expect(found == ["Kettle 2101", "Kettle 2102", "Kettle 2103"])
        }
    }

    @Test func `by words is one by fewer of them`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(Self.stock)
            // Every search waits for a lock, which is let go when the first of them was given up.
            try await database.run(Self.slow(Self.byWords, "pg_advisory_lock_shared(7)"))
            let holder = try await PlainConnection.open(database.url)
            try await holder.run("select pg_advisory_lock(7)")
            let phrases = ["zither"] + (1...9).map { "nothing\($0)" } + ["knees"]
            async let late = Self.found(database, phrases: phrases, limit: .seconds(10))
            let waiting = "select virtualtransaction from pg_locks where locktype = 'advisory' and not granted"
            var first: [[String?]] = []
            while first.isEmpty { first = try await holder.run(waiting) }
            while try await holder.run(waiting).contains(where: { $0 == first[0] }) {}
            try await holder.run("select pg_advisory_unlock(7)")
            let found = try await late
            #expect(found.titles.contains("Zither") && found.told.contains("only 6 of 11 phrases"), "\(found)")
        }
    }

    @Test func `by any words is what the table has`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(Self.stock + Self.slow("\(Self.byWords) or \(Self.byMeaning)"))
            let late = try await Self.found(database, phrases: ["bad knees"])
            #expect(late.titles == ["Bad knees", "Kneeler", "Zither"])
            #expect(late.told.contains("nothing was searched for by words"), "\(late.told)")
        }
    }

    @Test func `of a locked table is what came with the vault`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                StoredFixture(fixture).sql + CatalogueScenes.item("d", "Own map", vault: fixture.vault.id) + Self.stock
            )
            let pool = try VaultDatabase.pool(database)
            let source = PostgresVaultSource(pool, readsCatalogue: true)
            let stock = try #require(try await source.load(fixture.vault.id).catalogue)
            let blocker = try await PlainConnection.open(database.url)
            try await blocker.run("begin; lock table public.catalogue_items in access exclusive mode")
            let provider = CatalogueProvider(pool, vault: fixture.vault.id, catalogue: stock, limit: Self.limit)
            let query = CatalogueScenes.query(["map"])
            #expect(try await provider.candidates(for: query).map(\.title) == ["Own map"])
            #expect(query.shortfalls.sentences.count == 1)
            try await blocker.run("rollback")
        }
    }
}
