import Catalogue
import KnotDomain
import TestSupport
import Testing
import VectorSearch

@testable import VaultStore

@Suite("A run's embedder with what is stored") struct VaultEmbedderTests {
    private static func hint(_ id: String, _ text: String) -> Hint {
        Hint(
            id: HintID(id),
            text: text,
            source: .textInput,
            createdAt: Instant(millisecondsSinceEpoch: 0),
            isUsed: false
        )
    }

    @Test func `asks for what is missing or of another model, each text once, and tells what was made for hints`()
        async throws
    {
        let hints = [Self.hint("a", "tea"), Self.hint("b", "hats"), Self.hint("c", "maps")]
        let marker = try #require(Embedding([1] + [Float](repeating: 0, count: 767), model: "letters"))
        let other = try #require(Embedding(marker.values, model: "other"))
        let base = LetterEmbedder()
        let embedder = VaultEmbedder(base, hints: hints, stored: [HintID("a"): marker, HintID("b"): other])
        let found = try await embedder.embeddings(of: ["tea", "hats", "a gift", "hats"])
        #expect(found.map(\.model) == Array(repeating: "letters", count: 4))
        #expect(found[0] == marker && found[1].values == LetterEmbedder.values("hats") && found[3] == found[1])
        #expect(base.asked == [["hats", "a gift"]])
        #expect(embedder.fresh.map { $0.hint.text } == ["hats"])
        _ = try await embedder.embeddings(of: ["a gift", "tea"])
        #expect(base.asked.count == 1)
    }

    @Test func `says which of the missing texts are those of offers, and never that a hint is one`() async throws {
        let base = LetterEmbedder()
        let marker = try #require(Embedding([1] + [Float](repeating: 0, count: 767), model: "letters"))
        let hints = [Self.hint("a", "Tea, please!"), Self.hint("b", "known")]
        let embedder = VaultEmbedder(base, hints: hints, stored: [HintID("b"): marker])
        _ = try await embedder.embeddings(of: ["known", "a gift", "a trip", "Tea, please", "hats"], offers: 3)
        #expect(base.asked == [["a gift", "a trip", "Tea, please", "hats", "Tea, please!"]])
        #expect(base.offers == [2])
        _ = try await embedder.embeddings(of: ["maps"])
        #expect(base.offers == [2, 0])
    }

    @Test func `an embedder that is down is down`() async throws {
        let embedder = VaultEmbedder(LetterEmbedder(failsAt: 1), hints: [Self.hint("a", "tea")], stored: [:])
        await #expect(throws: (any Error).self) { try await embedder.embeddings(of: ["tea"]) }
        #expect(embedder.fresh.isEmpty)
    }

    @Test func `a hint without a stored vector gets its own, also where it is asked for in plain words`() async throws {
        let base = LetterEmbedder()
        let embedder = VaultEmbedder(
            base,
            hints: [Self.hint("a", "Tea, please!"), Self.hint("b", "hats")],
            stored: [:]
        )
        let found = try await embedder.embeddings(of: ["Tea, please"])
        #expect(found.count == 1 && found[0].values == LetterEmbedder.values("Tea, please"))
        #expect(base.asked == [["Tea, please", "Tea, please!"]])
        let fresh = embedder.fresh
        #expect(fresh.map(\.hint.text) == ["Tea, please!"])
        #expect(fresh.first?.embedding.values == LetterEmbedder.values("Tea, please!"))
    }

    @Test func `what several ask for at once is made once`() async throws {
        let base = LetterEmbedder()
        let embedder = VaultEmbedder(base, hints: [], stored: [:])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...20 { group.addTask { _ = try await embedder.embeddings(of: ["tea", "hats"]) } }
            try await group.waitForAll()
        }
        #expect(base.asked == [["tea", "hats"]])
    }

    @Test func `items in memory have their vectors, of its model only`() async throws {
        let candidates = [Candidate.invented("a", "Tea"), Candidate.invented("b", "Hats", provider: .yelp)]
        let marker = [1] + [Float](repeating: 0, count: 767)
        let known = try ["letters", "other"].map { model in
            try IndexedCatalogue(candidates, vectors: [Embedding(marker, model: model), nil], model: model)
        }
        let base = LetterEmbedder()
        let embedder = VaultEmbedder(base, hints: [], stored: [:], catalogues: known)
        let found = try await embedder.embeddings(of: ["Tea", "Hats"])
        #expect(found.map(\.model) == ["letters", "letters"] && found[0].values == marker)
        #expect(base.asked == [["Hats"]])
    }
}
