import Fixtures
import KnotDomain
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

@Suite("Giving the catalogue its vectors", .tags(.database)) struct ItemBackfillTests {
    private static func backfill(
        _ database: TestDatabase,
        _ embedder: LetterEmbedder,
        batch: Int = 2
    ) throws -> EmbeddingBackfill {
        EmbeddingBackfill(ItemEmbeddingStore(try VaultDatabase.pool(database)), embedder, batch: batch)
    }

    private static func titles(_ database: TestDatabase, _ condition: String) async throws -> [String] {
        try await database.run("select title from public.catalogue_items where \(condition) order by id")
            .compactMap { $0[0] }
    }

    private static let five = ["Map", "Tea", "Lamp", "Book", "Hat"].enumerated()
        .map { CatalogueScenes.item("c\($0)", $1) }.joined()

    @Test func `stops where the embedder fails and goes on there the next time`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(Self.five)
            await #expect(throws: EmbeddingBackfill.Failure.self) {
                try await Self.backfill(database, LetterEmbedder(failsAt: 2)).run()
            }
            #expect(try await Self.titles(database, "embedding_model = 'letters'") == ["Map", "Tea"])
            let rest = LetterEmbedder()
            let done = try await Self.backfill(database, rest).run()
            #expect(done.total == 3 && done.stored == 3 && done.left == 0)
            #expect(rest.asked == [["Lamp", "Book"], ["Hat"]])
            #expect(try await Self.backfill(database, LetterEmbedder()).run().total == 0)
        }
    }

    @Test func `an item that changes or goes is left, and one that is no candidate has nothing to embed`() async throws
    {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(
                Self.five + "update public.catalogue_items set url = 'javascript:alert(1)' where title = 'Hat'"
            )
            let embedder = LetterEmbedder { _ in
                do {
                    try await database.run(
                        """
                        update public.catalogue_items set title = 'Globe' where title = 'Map';
                        delete from public.catalogue_items where title = 'Tea'
                        """
                    )
                } catch {
                    Issue.record(error)
                }
            }
            let done = try await Self.backfill(database, embedder, batch: 100).run()
            #expect(done.total == 5 && done.stored == 2 && done.left == 2 && done.wordless == 1)
            #expect(try await Self.titles(database, "embedding is null") == ["Globe", "Hat"])
        }
    }

    @Test func `another model's vectors are replaced, and a vault's own alone where one is named`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            let vault = try #require(PostgresUUID(fixture.vault.id.text))
            try await database.run(Self.five + CatalogueScenes.item("own", "Quilt", vault: fixture.vault.id))
            _ = try await Self.backfill(database, LetterEmbedder(model: "old")).run(vault: vault)
            #expect(try await Self.titles(database, "embedding_model = 'old'") == ["Quilt"])
            _ = try await Self.backfill(database, LetterEmbedder(model: "new")).run()
            #expect(try await Self.titles(database, "embedding_model = 'new'").count == 6)
            let shared = try await SharedCatalogue(VaultDatabase.pool(database), model: "old").read()
            #expect(shared.count == 5 && shared.vectorCount == 0)
        }
    }

    @Test func `two at once do each item and fail nobody`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(Self.five)
            async let first = Self.backfill(database, LetterEmbedder(), batch: 1).run()
            async let second = Self.backfill(database, LetterEmbedder(), batch: 3).run()
            _ = try await (first, second)
            #expect(try await Self.titles(database, "embedding_model = 'letters'").count == 5)
        }
    }

    @Test func `an item that comes to say something else has no vector any more`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            try await database.run(Self.five)
            _ = try await Self.backfill(database, LetterEmbedder()).run()
            try await database.run("update public.catalogue_items set title = title, price_cents = 900")
            #expect(try await Self.titles(database, "embedding is null") == [])
            try await database.run("update public.catalogue_items set description = 'new' where title = 'Map'")
            try await database.run("update public.catalogue_items set tags = '{new}' where title = 'Tea'")
            #expect(try await Self.titles(database, "embedding is null") == ["Map", "Tea"])
            #expect(try await Self.titles(database, "embedding_model is null") == ["Map", "Tea"])
        }
    }
}
