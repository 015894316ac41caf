package import KnotDomain
import Recommendation
import Synchronization
package import TextEncoding
import TextReading
package import VectorSearch

/// Items made ready once to be searched: by words, and by meaning as far as they have vectors of one model.
package struct CatalogueIndex: Sendable {
    /// A phrase as words and, where there is an embedder, as a vector.
    package struct Phrase: Sendable {
        package let text: String
        package let vector: Embedding?

        package init(text: String, vector: Embedding?) {
            self.text = text
            self.vector = vector
        }
    }

    /// An item that a search found.
    package struct Hit: Sendable {
        package let place: Int
        /// From 0 to 1.
        package let score: Double
    }

    let candidates: [Candidate]
    let meaning: CatalogueVectors?
    /// Which there are of them, each once.
    let types: Set<CandidateType>
    private let words: WordRanking
    private let known = PhraseMemory()

    /// Of an item's description no more is read.
    private static let mostWords = 400
    /// So many of the items nearest to a phrase are ranked by their cosine; all others are as far as the last of them.
    private static let mostRanked = 400
    /// And so many of them are found by it, whatever their words.
    private static let mostFound = 40

    package init(_ candidates: [Candidate], meaning: CatalogueVectors? = nil) {
        self.candidates = candidates
        self.meaning = meaning
        types = Set(candidates.map(\.type))
        words = WordRanking(
            candidates.map { candidate in
                FieldedText(
                    title: candidate.title,
                    tags: candidate.tags,
                    body: [candidate.merchant, candidate.description].compactMap { $0 }
                )
            },
            limit: Self.mostWords
        )
    }

    /// What a phrase finds, the best for any phrase first and equal ones in order; the first phrase counts twice the last.
    ///
    /// For each phrase words and cosines are added as `ScoreFusion` does it.
    func hits(for phrases: [Phrase]) throws(VectorSearchError) -> [Hit] {
        var best = [Double](repeating: -1, count: candidates.count)
        var places: [Int] = []
        let near = try nearest(to: phrases)
        for (number, phrase) in phrases.enumerated() {
            let weight = 1 - 0.5 * Double(number) / Double(phrases.count)
            for hit in hits(for: phrase, near: near?[number]) {
                if best[hit.place] < 0 { places.append(hit.place) }
                best[hit.place] = max(best[hit.place], weight * hit.score)
            }
        }
        places.sort { (best[$1], $0) < (best[$0], $1) }
        return places.map { Hit(place: $0, score: best[$0]) }
    }

    /// What one phrase finds, in the items' order.
    private func hits(for phrase: Phrase, near: [(place: Int, cosine: Double)]?) -> [Hit] {
        guard let near, let last = near.last else {
            return known.hits(for: phrase.text) { fused([words.scores(forContentOf: phrase.text)], found: []) }
        }
        var cosines = [Double](repeating: last.cosine, count: candidates.count)
        var found: [Int] = []
        for (rank, item) in near.enumerated() {
            cosines[item.place] = item.cosine
            if rank < Self.mostFound, item.cosine > 0 { found.append(item.place) }
        }
        return fused([words.scores(forContentOf: phrase.text), cosines], found: found)
    }

    /// The items with a score in the first list, and those that were found some other way.
    private func fused(_ lists: [[Double]], found: [Int]) -> [Hit] {
        var isFound = lists[0].map { $0 > 0 }
        for place in found { isFound[place] = true }
        guard isFound.contains(true) else { return [] }
        let scores = ScoreFusion.sum(lists)
        return scores.indices.filter { isFound[$0] }.map { Hit(place: $0, score: scores[$0]) }
    }

    /// For each phrase that has a vector of this index's model, its nearest items; nil where no item has a vector.
    private func nearest(to phrases: [Phrase]) throws(VectorSearchError) -> [[(place: Int, cosine: Double)]?]? {
        guard let meaning else { return nil }
        let asked = phrases.map { phrase in
            phrase.vector.flatMap { $0.model == meaning.model && $0.norm > 0 ? $0 : nil }
        }
        var found = try meaning.nearest(to: asked.compactMap(\.self), limit: Self.mostRanked)[...]
        return asked.map { $0 == nil ? nil : found.popFirst() }
    }
}

/// The vectors of a index's items, made ready once to be searched.
package struct CatalogueVectors: Sendable {
    let model: String
    private let index: ExactIndex
    /// By row: the place of its item.
    private let places: [Int]
    /// By text as an encoder gets it: the row of an item that says just this.
    private let rows: [TextDigest: Int32]

    /// The vectors of all items, nil where one has none, with the text that each was made of; nil without any.
    package init?(_ items: [(text: String, vector: Embedding?)], model: String) throws(VectorSearchError) {
        var matrix = try EmbeddingMatrix(model: model, capacity: items.count)
        var places: [Int] = []
        var rows: [TextDigest: Int32] = [:]
        for (place, item) in items.enumerated() {
            guard let vector = item.vector, vector.model == model, vector.norm > 0 else { continue }
            rows[TextDigest(of: item.text)] = Int32(places.count)
            places.append(place)
            try matrix.append(vector, id: "")
        }
        guard !places.isEmpty else { return nil }
        self.model = model
        self.places = places
        self.rows = rows
        index = try ExactIndex(matrix)
    }

    /// How many items have a vector.
    var count: Int { places.count }

    /// The items nearest to each query, at most so many, best first; equal ones in order.
    func nearest(to queries: [Embedding], limit: Int) throws(VectorSearchError) -> [[(place: Int, cosine: Double)]] {
        try index.search(queries, limit: limit).matches.map { matches in
            matches.map { (places[$0.row], Double($0.score)) }
        }
    }

    /// The vector of a text that is an item's.
    func embedding(of text: TextDigest) throws(VectorSearchError) -> Embedding? {
        guard let row = rows[text] else { return nil }
        return Embedding(try index.matrix.values(ofRow: Int(row)), model: model)
    }
}

/// What phrases find on a index by their words alone, kept since many people like the same things.
///
/// It holds so much and then begins anew; nothing but time depends on what it holds.
final class PhraseMemory: Sendable {
    private struct State {
        var entries: [ExactText: [CatalogueIndex.Hit]] = [:]
        /// The phrases and all their hits.
        var size = 0
    }

    private let mostHits = 1 << 16
    private let longestPhrase = 256
    private let state = Mutex(State())

    /// The hits of a phrase, made where they are not known.
    func hits(for phrase: String, make: () -> [CatalogueIndex.Hit]) -> [CatalogueIndex.Hit] {
        let key = ExactText(phrase)
        if let known = state.withLock({ $0.entries[key] }) { return known }
        let hits = make()
        guard phrase.utf8.count <= longestPhrase, hits.count < mostHits else { return hits }
        state.withLock { state in
            if state.size + hits.count >= mostHits { state = State() }
            state.size += 1 + hits.count - (state.entries[key].map { 1 + $0.count } ?? 0)
            state.entries[key] = hits
        }
        return hits
    }
}

/// A catalogue that lies in memory once for a whole process, with a index for each provider.
package struct IndexedCatalogue: Sendable {
    private let indexes: [ProviderName: CatalogueIndex]
    /// How many items there are.
    package let count: Int
    /// How many of them have a vector of the model.
    package let vectorCount: Int

    /// Shelves for items and, where there is a model, the vector that each has of it.
    package init(_ candidates: [Candidate], vectors: [Embedding?] = [], model: String? = nil) throws(VectorSearchError)
    {
        precondition(vectors.isEmpty || vectors.count == candidates.count, "each item has a vector, or nil for none")
        var indexes: [ProviderName: CatalogueIndex] = [:]
        var vectorCount = 0
        for (provider, places) in Dictionary(grouping: candidates.indices, by: { candidates[$0].provider }) {
            let items = places.map { candidates[$0] }
            var meaning: CatalogueVectors?
            if let model, !vectors.isEmpty {
                meaning = try CatalogueVectors(
                    places.map { (vectors[$0] == nil ? "" : MeaningText.of(candidates[$0]), vectors[$0]) },
                    model: model
                )
            }
            vectorCount += meaning?.count ?? 0
            indexes[provider] = CatalogueIndex(items, meaning: meaning)
        }
        self.indexes = indexes
        self.vectorCount = vectorCount
        count = candidates.count
    }

    package subscript(provider: ProviderName) -> CatalogueIndex? { indexes[provider] }

    /// Whose items there are, by name.
    package var providers: [ProviderName] { indexes.keys.sorted { $0.rawValue < $1.rawValue } }

    /// The vector of a text that is an item's, so that nobody has to make it again.
    package func embedding(of text: TextDigest) throws(VectorSearchError) -> Embedding? {
        for index in indexes.values {
            if let embedding = try index.meaning?.embedding(of: text) { return embedding }
        }
        return nil
    }
}
