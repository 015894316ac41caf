import KnotDomain
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing
import TextEncoding
import VectorSearch

@testable import Catalogue

@Suite("A index of the catalogue", .onOwnThreads) struct CatalogueIndexTests {
    private static let model = "m"

    private static func vector(_ weights: [Int: Float], model: String = model) -> Embedding? {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        for (axis, weight) in weights { values[axis] = weight }
        return Embedding(values, model: model)
    }

    private static func index(_ items: [(title: String, vector: Embedding?)]) throws -> CatalogueIndex {
        let candidates = items.enumerated().map { Candidate.invented("c\($0)", $1.title) }
        let meaning = try CatalogueVectors(items.map { ($0.title, $0.vector) }, model: model)
        return CatalogueIndex(candidates, meaning: meaning)
    }

    private static func places(_ index: CatalogueIndex, _ phrases: [CatalogueIndex.Phrase]) throws -> [Int] {
        try index.hits(for: phrases).map(\.place)
    }

    private static func words(_ texts: String...) -> [CatalogueIndex.Phrase] {
        texts.map { CatalogueIndex.Phrase(text: $0, vector: nil) }
    }

    @Test func `without items or phrases finds nothing`() throws {
        #expect(try Self.places(Self.index([]), Self.words("map")).isEmpty)
        #expect(try Self.places(Self.index([("Star map", nil)]), []).isEmpty)
    }

    @Test func `finds nothing by function words alone, and a single item by its word`() throws {
        let index = try Self.index([("A map of the stars", nil)])
        #expect(try Self.places(index, Self.words("the best of")).isEmpty)
        #expect(try Self.places(index, Self.words("maps")) == [0])
    }

    @Test func `finds the same for a phrase however often and whatever else was asked meanwhile`() throws {
        let titles = ["Café table", "Cafe\u{301} chair", "Garden kneeler", "Opera night", "Night lamp"]
        let items: [(title: String, vector: Embedding?)] = titles.map { ($0, nil) }
        let phrases = ["café", "cafe\u{301}", "night", "garden of night", "nothing", "opera lamp"]
        let asked = try Self.index(items)
        for _ in 0..<2 {
            for phrase in phrases + phrases.reversed() {
                let fresh = try Self.index(items).hits(for: Self.words(phrase, "lamp"))
                let known = try asked.hits(for: Self.words(phrase, "lamp"))
                #expect(fresh.map(\.place) == known.map(\.place) && fresh.map(\.score) == known.map(\.score))
            }
        }
    }

    @Test func `what phrases found is forgotten before it is too much`() {
        let memory = PhraseMemory()
        let hits = [CatalogueIndex.Hit](repeating: CatalogueIndex.Hit(place: 1, score: 1), count: 1 << 15)
        var made = 0
        for phrase in ["a", "b", "b", "a", "a"] {
            let found = memory.hits(for: phrase) {
                made += 1
                return hits
            }
            #expect(found.count == hits.count)
        }
        #expect(made == 3, "two are too much, so the second drove the first out")
        let longest = String(repeating: "a", count: 257)
        for _ in 0..<2 { _ = memory.hits(for: longest) { [CatalogueIndex.Hit(place: made, score: 0)] } }
        #expect(memory.hits(for: longest) { [] }.isEmpty, "what is very long is not kept")
    }

    @Test func `vectors of another model are never compared`() throws {
        let items = [("Kneeler", Self.vector([3: 1])), ("Opera", Self.vector([4: 1])), ("Garden gloves", nil)]
        let index = try Self.index(items)
        let asked = [CatalogueIndex.Phrase(text: "garden", vector: Self.vector([3: 1], model: "other"))]
        #expect(try Self.places(index, asked) == [2])
        let foreign = try Self.index(items.map { ($0.0, $0.1.flatMap { Embedding($0.values, model: "other") }) })
        #expect(foreign.meaning == nil)
    }

    @Test func `finds by meaning what shares no word, before a lesser match of both`() throws {
        let index = try Self.index([
            ("Opera", Self.vector([4: 1])), ("Kneeler", Self.vector([3: 1])), ("Compost", nil),
            ("Bad knees", Self.vector([5: 1])),
        ])
        let found = try Self.places(
            index,
            [CatalogueIndex.Phrase(text: "bad knees", vector: Self.vector([3: 1]))]
        )
        #expect(found == [1, 3])
    }

    @Test func `the best for each phrase come first, the first phrase's before all`() throws {
        let index = try Self.index([
            ("Opera night", nil), ("Garden kneeler", nil), ("Garden chair", nil), ("Night lamp", nil),
        ])
        #expect(try Self.places(index, Self.words("garden kneeler", "opera night")).prefix(2) == [1, 0])
        #expect(try Self.places(index, Self.words("opera night", "garden kneeler")).prefix(2) == [0, 1])
    }

    @Test(arguments: 0..<30)
    func `ranks for one phrase as the fusion of words and cosines does`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let vocabulary = ["garden", "opera", "night", "lamp", "kneeler", "tea", "map", "star"]
        let items = (0..<Int.random(in: 2...40, using: &random)).map { _ -> (title: String, vector: Embedding?) in
            let title = (0..<3).map { _ in vocabulary.randomElement(using: &random) ?? "" }.joined(separator: " ")
            return (title, Self.vector([0: 1, 1: Float.random(in: -1...1, using: &random)]))
        }
        let query = try #require(Self.vector([0: 0.3, 1: Float.random(in: -1...1, using: &random)]))
        let phrase = "star garden"
        let hits = try Self.index(items).hits(for: [CatalogueIndex.Phrase(text: phrase, vector: query)])
        let texts = items.enumerated().map { FieldedText(title: $1.title, body: ["House of c\($0)"]) }
        let words = WordRanking(texts).scores(for: phrase)
        let table = try KernelSimilarity().similarities(of: [query], to: items.compactMap(\.vector))
        let sums = ScoreFusion.sum([words, table.values.map(Double.init)])
        #expect(Set(hits.map(\.place)).count == hits.count, "seed \(seed)")
        for hit in hits { #expect(abs(hit.score - sums[hit.place]) < 1e-9, "seed \(seed)") }
        #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.score >= $1.score }, "seed \(seed)")
        let expected = sums.indices.filter { words[$0] > 0 || table.values[$0] > 0 }
        #expect(Set(hits.map(\.place)) == Set(expected), "seed \(seed)")
    }

    @Test func `tells the embedder which texts the next search for the same phrases asks for again`() async throws {
        let query = ProviderQuery(
            provider: .shopify,
            phrases: ["Caffeine-free tea", "!", "star map"],
            types: [.gift],
            budget: nil,
            place: nil,
            until: nil,
            limit: 10
        )
        let embedder = ListeningEmbedder()
        let index = try Self.index([("Tea", Self.vector([0: 1]))])
        let phrases = try await CatalogueQuery(query).embeddedPhrases(embedder, for: [index])
        #expect(embedder.expected.withLock { $0 } == embedder.asked.withLock { $0 })
        #expect(embedder.asked.withLock { $0 }.count == phrases.count { $0.vector != nil })
    }
}

/// Keeps what it is asked for, and what it is told to expect.
private final class ListeningEmbedder: TextEmbedder {
    let model = "m"
    let asked = Mutex<[String]>([])
    let expected = Mutex<[String]>([])

    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        asked.withLock { $0 += texts }
        return texts.compactMap { _ in Embedding([1] + [Float](repeating: 0, count: 767), model: model) }
    }

    func expect(again texts: [String]) { expected.withLock { $0 += texts } }
}
