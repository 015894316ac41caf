import KnotDomain
import PostgresClient
import Recommendation
import TestSupport
import Testing
import TextEncoding
import VectorSearch

@testable import VaultStore

/// What a vault's hints are read as is embedded once, and later runs take it from the database.
@Suite("Vectors of a vault's phrases", .tags(.database)) struct PhraseEmbeddingTests {
    /// Runs the vault as it is now and stores its set.
    private static func run(_ world: StoredWorld, _ embedder: LetterEmbedder, request: String) async throws -> Run {
        let source = PostgresVaultSource(try world.pool(), embeddings: .of(model: embedder.model))
        let stored = try await source.load(world.brief.vault.id)
        let known = VaultEmbedder(
            embedder,
            hints: stored.vault.hints,
            stored: stored.hintEmbeddings,
            phrases: stored.phraseEmbeddings
        )
        let report = try await world.run("choice-of-three", of: source, with: known)
        let statements = known.statements(forPhrasesOf: stored.vault.id)
        let pending = PendingSet(try SetRecord(report, world.request(request)), with: known.statements + statements)
        let set = try await world.store().store(all: [pending], each: LastResort.limit)[0].get()
        return Run(asked: embedder.asked.flatMap(\.self), known: stored.phraseEmbeddings, set: set)
    }

    private struct Run {
        let asked: [String]
        let known: [TextDigest: Embedding]
        let set: StoredSet
    }

    private static func count(_ world: StoredWorld) async throws -> Int {
        Int(try await world.database.run("select count(*) from public.text_embeddings")[0][0] ?? "") ?? -1
    }

    @Test func `are stored with the set of the run that made them, and later runs make none of them`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let first = try await Self.run(world, LetterEmbedder(), request: "a")
            #expect(first.known.isEmpty)
            let second = try await Self.run(world, LetterEmbedder(), request: "b")
            #expect(try await Self.count(world) == second.known.count && !second.known.isEmpty)
            for (digest, embedding) in second.known {
                let text = try #require(first.asked.first { TextDigest(of: $0) == digest })
                #expect(embedding.values == LetterEmbedder.values(text) && embedding.model == "letters")
            }
            #expect(second.asked.allSatisfy { second.known[TextDigest(of: $0)] == nil })
            // Another model's run makes its own, beside these.
            let other = try await Self.run(world, LetterEmbedder(model: "other"), request: "c")
            let asked = Set(other.asked.map { TextDigest(of: $0) })
            #expect(other.known.isEmpty && asked.isSuperset(of: second.known.keys))
            #expect(try await Self.count(world) == 2 * second.known.count)
        }
    }

    @Test func `are not stored once a hint is another, or gone`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let changes = [
                "update public.hints set hint_text = 'says something else' where id = (select min(id::text)::uuid from public.hints)",
                "delete from public.hints where id = (select max(id::text)::uuid from public.hints)",
            ]
            for (number, change) in changes.enumerated() {
                let meanwhile = LetterEmbedder { _ in
                    await #expect(throws: Never.self) { _ = try await database.run(change) }
                }
                _ = try await Self.run(world, meanwhile, request: "\(number)")
                #expect(try await Self.count(world) == 0, "\(change)")
            }
        }
    }

    @Test func `make room for others where a vault has too many, and those in use stay`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            func texts(_ range: Range<Int>) -> [String] { range.map { "phrase \($0)" } }
            func store(_ range: Range<Int>, beside stored: Int, used: Range<Int> = 0..<0) async throws -> Int {
                let made = try texts(range).map { text in
                    (text, try #require(Embedding(LetterEmbedder.values(text), model: "letters")))
                }
                let statements = PhraseEmbeddings.storing(
                    made,
                    of: world.brief.vault.id,
                    beside: stored,
                    used: texts(used),
                    hints: world.brief.vault.hints
                )
                try await world.pool().write(until: LastResort.end) { transaction throws(PostgresError) in
                    _ = try await transaction.pipeline(statements)
                    return .written((), CommitProof(of: (), "select 1 as done"))
                }
                return statements.count
            }
            _ = try await store(0..<200, beside: 0)
            _ = try await store(150..<206, beside: 200)
            #expect(try await Self.count(world) == 206, "what is there already stays as it is")
            _ = try await store(300..<360, beside: 206, used: 0..<90)
            #expect(try await Self.count(world) == 150)
            // Of more than there is room for, the others are made by each run, and nothing changes places for them.
            #expect(try await store(400..<900, beside: 150, used: 0..<90) == 168)
            #expect(try await Self.count(world) == 256)
            #expect(try await store(0..<600, beside: 256, used: 0..<256) == 0)
            #expect(try await Self.count(world) == 256)
        }
    }

    @Test func `come back as the very numbers that were made`() throws {
        var random = SeededRandom(seed: 46)
        for size in [1, 384, 767, 768] {
            let bits = (0..<size).map { _ in Float(bitPattern: UInt32.random(in: 0..<0x7F80_0000, using: &random)) }
            let values = bits.map { Bool.random(using: &random) ? $0 : -$0 }
            let padded = values + [Float](repeating: 0, count: Embedding.dimension - size)
            let embedding = try #require(Embedding(padded, model: "m"))
            let vector = PostgresVector(of: embedding)
            #expect(vector.values.count <= size && vector.embedding(of: "m") == embedding, "seed 46, \(size)")
        }
        #expect(PostgresVector([Float](repeating: 1, count: 769)).embedding(of: "m") == nil)
        #expect(PostgresVector([.nan]).embedding(of: "m") == nil)
    }
}
