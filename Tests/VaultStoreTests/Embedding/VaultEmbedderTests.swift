import KnotDomain
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

    @Test func `an embedder that is down is down`() async throws {
        let embedder = VaultEmbedder(LetterEmbedder(failsAt: 1), hints: [Self.hint("a", "tea")], stored: [:])
        await #expect(throws: (any Error).self) { try await embedder.embeddings(of: ["tea"]) }
        #expect(embedder.fresh.isEmpty)
    }
}
