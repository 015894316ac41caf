import KnotDomain
import Recommendation
import TestSupport
import Testing
import VectorSearch

@testable import VaultStore

/// From a hint that was noted a second ago to its vector beside the set that needed it.
@Suite("A hint noted just now", .tags(.database)) struct FreshHintTests {
    private static var limit: ContinuousClock.Instant { LastResort.end }
    private static let text = "She loves old maps, really: framed ones!"

    /// Adds a hint as the app does, runs the vault and stores its set.
    private static func stored(
        _ world: StoredWorld,
        _ embedder: LetterEmbedder,
        request: String,
        pipeline: String
    ) async throws -> StoredSet? {
        let id = world.brief.vault.id
        let source = PostgresVaultSource(try world.pool(), embeddings: .of(model: embedder.model))
        let stored = try await source.load(id)
        let known = VaultEmbedder(embedder, hints: stored.vault.hints, stored: stored.hintEmbeddings)
        let run = try await world.run(pipeline, of: source, with: known)
        let pending = PendingSet(try SetRecord(run, world.request(request)), with: known.statements)
        return try await world.store().store(all: [pending], each: LastResort.limit)[0].get()
    }

    private static func hint(_ world: StoredWorld) async throws -> [String?] {
        try await world.database.run(
            """
            select hint_embedding_model, xmin::text, (hint_embedding is not null)::text from public.hints
            where hint_text = '\(text)'
            """
        )[0]
    }

    @Test(arguments: ["choice-of-three", "classic"])
    func `is embedded by the run that needs it, in the transaction of its set, once`(pipeline: String) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            _ = try await VaultEditor(world.pool("knot"))
                .addHints([Self.text], to: world.vault, at: world.brief.asOf, until: Self.limit)
            #expect(try await Self.hint(world)[0] == nil)
            let first = LetterEmbedder()
            let set = try #require(try await Self.stored(world, first, request: "a", pipeline: pipeline))
            #expect(set.isNew && first.asked.joined().contains(Self.text))
            let hint = try await Self.hint(world)
            #expect(hint[0] == "letters" && hint[2] == "true")
            let run = try await database.run(
                "select xmin::text from public.recommendation_runs where id = '\(set.runID)'"
            )
            #expect(hint[1] == run[0][0], "one transaction wrote both")
            let loaded = try await PostgresVaultSource(world.pool(), embeddings: .all).load(world.brief.vault.id)
            let id = try #require(loaded.vault.hints.first { $0.text == Self.text }?.id)
            #expect(loaded.hintEmbeddings[id]?.values == LetterEmbedder.values(Self.text))
            let second = LetterEmbedder()
            _ = try await Self.stored(world, second, request: "b", pipeline: pipeline)
            #expect(!second.asked.joined().contains(Self.text))
            // Another model's run makes its own.
            let other = LetterEmbedder(model: "other")
            _ = try await Self.stored(world, other, request: "c", pipeline: pipeline)
            #expect(try await Self.hint(world)[0] == "other")
        }
    }

    @Test func `is not embedded where its set is not stored`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            _ = try await VaultEditor(world.pool("knot"))
                .addHints([Self.text], to: world.vault, at: world.brief.asOf, until: Self.limit)
            // Somebody reads the set's rows and nobody may write them.
            try await database.run("revoke insert on public.recommendation_runs from knot_worker")
            await #expect(throws: VaultStoreError.self) {
                try await Self.stored(world, LetterEmbedder(), request: "a", pipeline: "choice-of-three")
            }
            #expect(try await Self.hint(world)[0] == nil)
        }
    }
}
