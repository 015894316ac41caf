import Catalogue
import Fixtures
import JSONDocument
import KnotDomain
import LocalPostgres
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("Everybody's offers on their way in", .tags(.database)) struct CatalogueImportTests {
    private static func offer(_ id: String, _ title: String, price: Int? = nil) throws -> CatalogueOffer {
        let price = price.map { ", \"price_cents\": \($0)" } ?? ""
        let text = """
            {"id": \(JSONWriter.text(.string(id))), "provider": "catalogue", "type": "gift", "url": "https://a.example/1",
            "title": \(JSONWriter.text(.string(title))), "currency": "USD", "tags": ["a b", "c"]\(price)}
            """
        return try #require(CatalogueOffer(reading: JSONReader(try JSONParser.parse(text))))
    }

    private static func started(
        _ world: ImportedWorld,
        _ source: String = "shop",
        isDryRun: Bool = false
    ) -> CatalogueImport {
        CatalogueImport(world.pool, source: source, isDryRun: isDryRun, limit: .seconds(30))
    }

    private static func titles(_ world: ImportedWorld, _ condition: String = "true") async throws -> [String] {
        try await world.database.run("select title from public.catalogue_items where \(condition) order by id")
            .compactMap { $0[0] }
    }

    @Test func `the same id twice is brought in once, in one piece or in several`() async throws {
        try await ImportedWorld.with { world in
            for isDryRun in [true, false] {
                var started = Self.started(world, isDryRun: isDryRun)
                let pair = [try Self.offer("a", "Map"), try Self.offer("b", "Tea")]
                #expect(try await started.add(pair + [Self.offer("a", "Other")]) == [2])
                #expect(try await started.add([Self.offer("c", "Hat"), Self.offer("b", "Other")]) == [1])
                #expect(started.counts.added == 3 && started.counts.changed == 0)
            }
            #expect(try await Self.titles(world) == ["Map", "Tea", "Hat"])
            var again = Self.started(world)
            #expect(try await again.add([Self.offer("a", "Map"), Self.offer("a", "Other")]) == [1])
            #expect(again.counts.unchanged == 1 && again.counts.added == 0)
            #expect(try await Self.titles(world) == ["Map", "Tea", "Hat"])
        }
    }

    @Test func `ids that differ in their bytes alone are two, in and out`() async throws {
        try await ImportedWorld.with { world in
            let pair = [try Self.offer("caf\u{E9}", "Map"), try Self.offer("cafe\u{301}", "Tea map")]
            for isDryRun in [true, false] {
                var started = Self.started(world, isDryRun: isDryRun)
                #expect(try await started.add(pair).isEmpty)
                #expect(started.counts.added == 2)
            }
            #expect(try await SharedCatalogue(world.pool, model: nil).read().count == 2)
        }
    }

    @Test func `what says the same is not written again, and keeps its vector`() async throws {
        try await ImportedWorld.with { world in
            let offers = try JudgedFixtures.all().prefix(4).flatMap(\.fixture.candidates).map { candidate in
                try #require(CatalogueOffer(reading: JSONReader(candidate.json)))
            }
            var first = Self.started(world)
            let repeated = try await first.add(offers)
            try await world.database.run(
                "update public.catalogue_items set embedding = array_fill(1, array[768])::public.vector, "
                    + "embedding_model = 'm'"
            )
            let look = "select id, change::text, xmin::text from public.catalogue_items order by id"
            let before = try await world.database.run(look)
            var second = Self.started(world)
            #expect(try await second.add(offers) == repeated)
            #expect(second.counts.unchanged == offers.count - repeated.count && second.counts.changed == 0)
            #expect(try await world.database.run(look) == before)
            // Another price is another offer with the same vector; another title needs a new one.
            try await world.database.run("update public.catalogue_items set price_cents = 1 where id % 3 = 0")
            try await world.database.run("update public.catalogue_items set title = 'x' where id % 3 = 1")
            var third = Self.started(world)
            _ = try await third.add(offers)
            #expect(third.counts.changed > 0 && third.counts.unchanged > 0)
            var fourth = Self.started(world)
            _ = try await fourth.add(offers)
            #expect(fourth.counts == second.counts)
            #expect(try await world.count("public.catalogue_items where embedding is null and id % 3 <> 1") == 0)
            #expect(try await world.count("public.catalogue_items where embedding is not null and id % 3 = 1") == 0)
        }
    }

    @Test func `texts of a megabyte, sources of 200 letters and ids in any script are kept and found again`()
        async throws
    {
        try await ImportedWorld.with { world in
            let source = String(repeating: "日", count: 200)
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = SeededRandom(seed: seed)
            var offers = [
                try Self.offer("long", String(repeating: "word ", count: 200_000)),
                try Self.offer("مفتاح", "\u{0}zero\u{1F}'\\"),
            ]
            for number in 0..<40 { offers.append(try Self.offer("\(number)\(random.text())", "T" + random.text())) }
            for isFirst in [true, false] {
                var started = Self.started(world, source)
                #expect(try await started.add(offers) == [], "seed \(seed)")
                #expect((isFirst ? started.counts.added : started.counts.unchanged) == offers.count, "seed \(seed)")
            }
            let shared = try await SharedCatalogue(world.pool, model: nil).read()
            #expect(shared.count == offers.count)
        }
    }

    @Test func `what did not come is withdrawn, of this source and of nobody else`() async throws {
        try await ImportedWorld.with { world in
            let (document, _) = try await ImportFileTests.imported(world, "dev-01")
            var other = Self.started(world, "other")
            _ = try await other.add([Self.offer("a", "Map")])
            var first = Self.started(world)
            _ = try await first.add(["a", "b", "c", "d"].map { try Self.offer($0, $0) })
            for isDryRun in [true, false] {
                var second = Self.started(world, isDryRun: isDryRun)
                _ = try await second.add([Self.offer("b", "b"), Self.offer("e", "e")])
                try await second.withdrawRest()
                #expect(second.counts.withdrawn == 3)
            }
            #expect(try await Self.titles(world, "vault_id is null") == ["Map", "b", "e"])
            #expect(
                try await world.count("public.catalogue_items where vault_id is not null") == document.candidates.count
            )
        }
    }

    @Test(arguments: [WireProxy.Fault.cutBeforeCommit, .cutAfterCommit])
    func `a connection lost in the COMMIT brings in each offer once`(fault: WireProxy.Fault) async throws {
        try await ImportedWorld.with { world in
            let proxy = try WireProxy(to: world.database.server.running.socketFolder + "/.s.PGSQL.5432")
            let target = try ConnectionTarget(url: proxy.url(database: world.database.name))
            let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
            var started = CatalogueImport(pool, source: "shop", isDryRun: false, limit: .seconds(30))
            for part in 0..<3 {
                proxy.breakLine(fault)
                #expect(try await started.add((0..<50).map { try Self.offer("\(part)-\($0)", "T\($0)") }) == [])
            }
            proxy.breakLine(fault)
            _ = try await started.withdrawRest()
            #expect(started.counts.added == 150 && started.counts.withdrawn == 0)
            #expect(try await world.count("public.catalogue_items") == 150)
            await pool.close()
        }
    }

    @Test func `the worker's role may not bring in anything`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let pool = try VaultDatabase.pool(database)
            var started = CatalogueImport(pool, source: "shop", isDryRun: false, limit: .seconds(30))
            let offer = try Self.offer("a", "Map")
            do throws(PostgresError) {
                _ = try await started.add([offer])
                Issue.record("it was brought in")
            } catch {
                #expect(error.code == .notPermitted)
            }
        }
    }

    @Test func `numbers of rows are those that were put in`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var rows = RowNumbers()
        var truth: Set<Int64> = []
        let near: [Int64] = [.min, -65_536, -64, 0, 63, 65_535, 1 << 40, .max - 70]
        for _ in 0..<4_000 {
            let number = (near.randomElement(using: &random) ?? 0) &+ Int64.random(in: 0...70, using: &random)
            #expect(rows.contains(number) == truth.contains(number), "seed \(seed), \(number)")
            if Bool.random(using: &random) {
                rows.insert(number)
                truth.insert(number)
            }
        }
    }
}
