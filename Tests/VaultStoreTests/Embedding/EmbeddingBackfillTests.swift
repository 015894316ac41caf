import Fixtures
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
import TestSupport
import Testing
import VectorSearch

@testable import VaultStore

@Suite("Giving hints their vectors", .tags(.database)) struct EmbeddingBackfillTests {
    private static func backfill(
        _ database: TestDatabase,
        _ embedder: LetterEmbedder,
        batch: Int = 4
    ) throws -> EmbeddingBackfill {
        EmbeddingBackfill(HintEmbeddingStore(try VaultDatabase.pool(database)), embedder, batch: batch)
    }

    private static func count(_ database: TestDatabase, _ condition: String) async throws -> Int {
        Int(try await database.run("select count(*) from public.hints where \(condition)")[0][0] ?? "") ?? -1
    }

    @Test func `stops where the embedder fails and goes on there the next time`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            let total = fixture.vault.hints.count
            try #require(total > 4)
            await #expect(throws: EmbeddingBackfill.Failure.self) {
                try await Self.backfill(database, LetterEmbedder(failsAt: 2)).run()
            }
            #expect(try await Self.count(database, "hint_embedding_model = 'letters'") == 4)
            let rest = LetterEmbedder()
            let done = try await Self.backfill(database, rest).run()
            #expect(done.total == total - 4 && done.stored == total - 4 && done.left == 0)
            #expect(rest.asked.flatMap(\.self).count == total - 4)
            let idle = LetterEmbedder()
            #expect(try await Self.backfill(database, idle).run().total == 0)
            #expect(idle.asked.isEmpty)
        }
    }

    @Test func `a hint that changes or goes meanwhile is left alone`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            let embedder = LetterEmbedder { _ in
                do {
                    try await database.run(
                        """
                        update public.hints set hint_text = 'she said something else'
                            where id = (select min(id::text)::uuid from public.hints);
                        delete from public.hints where id = (select max(id::text)::uuid from public.hints)
                        """
                    )
                } catch {
                    Issue.record(error)
                }
            }
            let done = try await Self.backfill(database, embedder, batch: 1_000).run()
            #expect(done.total == fixture.vault.hints.count)
            #expect(done.left == 2 && done.stored == done.total - 2)
            #expect(try await Self.count(database, "hint_embedding is null") == 1)
            let again = LetterEmbedder()
            #expect(try await Self.backfill(database, again).run().stored == 1)
            #expect(again.asked == [["she said something else"]])
        }
    }

    @Test func `another model's vectors are replaced, and a vault's alone where one is named`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            let vault = try #require(PostgresUUID(fixture.vault.id.text))
            _ = try await Self.backfill(database, LetterEmbedder(model: "old")).run(vault: vault)
            #expect(try await Self.count(database, "hint_embedding_model = 'old'") == fixture.vault.hints.count)
            _ = try await Self.backfill(database, LetterEmbedder(model: "new")).run()
            #expect(try await Self.count(database, "hint_embedding_model = 'new'") == fixture.vault.hints.count)
            let stored = try await PostgresVaultSource(source.pool, embeddings: .of(model: "new"))
                .load(fixture.vault.id)
            for hint in stored.vault.hints {
                #expect(stored.hintEmbeddings[hint.id]?.values == LetterEmbedder.values(hint.text))
            }
        }
    }

    @Test func `two at once do each hint and fail nobody`() async throws {
        try await VaultDatabase.withVault { database, fixture, _ in
            async let first = Self.backfill(database, LetterEmbedder(), batch: 2).run()
            async let second = Self.backfill(database, LetterEmbedder(), batch: 3).run()
            _ = try await (first, second)
            #expect(try await Self.count(database, "hint_embedding_model = 'letters'") == fixture.vault.hints.count)
        }
    }

    @Test func `a hint that comes to say something else has no vector any more`() async throws {
        try await VaultDatabase.withVault { database, _, _ in
            _ = try await Self.backfill(database, LetterEmbedder()).run()
            try await database.run("update public.hints set hint_text = hint_text, is_used = not is_used")
            #expect(try await Self.count(database, "hint_embedding is null") == 0)
            try await database.run("update public.hints set hint_text = hint_text || '!'")
            #expect(
                try await Self.count(database, "hint_embedding is not null or hint_embedding_model is not null") == 0
            )
        }
    }
}
