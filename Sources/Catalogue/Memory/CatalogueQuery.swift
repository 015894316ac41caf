package import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization
import TextEncoding
import TextReading
package import VectorSearch

/// What a catalogue is searched for: the query's phrases, cleaned and bounded, and which items may answer.
package struct CatalogueQuery: Sendable {
    /// The most wanted first, each once, none blank.
    package let phrases: [String]
    package let provider: ProviderName
    package let types: Set<CandidateType>
    package let limit: Int
    /// Nil where the asker has none.
    package let rules: OfferRules?

    /// No answer is longer than this, however much is asked for.
    package static let mostItems = 2_000

    package init(_ query: ProviderQuery) { self.init(query, clean: nil) }

    /// The same for its first phrases only.
    package func first(_ count: Int) -> CatalogueQuery { CatalogueQuery(self, phrases: Array(phrases.prefix(count))) }

    private init(_ query: CatalogueQuery, phrases: [String]) {
        (self.phrases, provider, types) = (phrases, query.provider, query.types)
        (limit, rules) = (query.limit, query.rules)
    }

    init(_ query: ProviderQuery, clean: CleanPhrases?) {
        phrases = clean?.phrases(query.phrases) ?? Self.clean(query.phrases)
        provider = query.provider
        types = Set(query.types)
        limit = min(max(query.limit, 0), Self.mostItems)
        rules = query.rules
    }

    static func clean(_ phrases: [String]) -> [String] {
        var seen: Set<String> = []
        return phrases.prefix(4 * TextLimit.listItems)
            .map { BoundaryText.clean($0, limit: TextLimit.phrase) }
            .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
            .prefix(TextLimit.listItems)
            .map(\.self)
    }

    package func allows(_ candidate: Candidate) -> Bool {
        candidate.provider == provider && types.contains(candidate.type)
    }

    /// The same of what fits the phrases, and of all others behind it where hardly any of that may be shown: unknown words
    /// never exclude an offer.
    package func best(
        of fitting: some RandomAccessCollection<Candidate>,
        others: () -> [Candidate]
    ) throws(StageFailure) -> [Candidate] {
        guard let rules, try !rules.passEnough(fitting) else { return try best(of: fitting) }
        return try best(of: Array(fitting) + others())
    }

    /// Of candidates in their order as many as are wanted, those that may be shown before others.
    package func best(of candidates: some RandomAccessCollection<Candidate>) throws(StageFailure) -> [Candidate] {
        guard let rules else { return Array(candidates.prefix(limit)) }
        return try rules.best(of: candidates, limit: limit)
    }
}

extension CatalogueQuery {
    /// The phrases as indexes are searched for them: with vectors where one of the indexes has some to compare them with.
    ///
    /// Without an embedder or while it is down there are none, since words still serve then.
    package func embeddedPhrases(
        _ embedder: (any TextEmbedder)?,
        for indexes: [CatalogueIndex]
    ) async throws(StageFailure) -> [CatalogueIndex.Phrase] {
        guard let embedder, indexes.contains(where: { $0.meaning?.model == embedder.model }) else {
            return phrases.map { CatalogueIndex.Phrase(text: $0, vector: nil) }
        }
        let vectors = try await vectors(of: phrases, embedder)
        return zip(phrases, vectors).map { CatalogueIndex.Phrase(text: $0, vector: $1) }
    }

    /// The phrases, the first so many of them with vectors where there is an embedder.
    package func phrases(
        embedding most: Int,
        _ embedder: (any TextEmbedder)?
    ) async throws(StageFailure) -> [CatalogueIndex.Phrase] {
        var vectors: [Embedding?] = []
        if let embedder { vectors = try await self.vectors(of: Array(phrases.prefix(most)), embedder) }
        return phrases.enumerated().map { number, text in
            CatalogueIndex.Phrase(text: text, vector: number < vectors.count ? vectors[number] : nil)
        }
    }

    /// A vector for each phrase, of the text that later stages compare it by; nil where it has none.
    package func vectors(
        of phrases: [String],
        _ embedder: any TextEmbedder
    ) async throws(StageFailure) -> [Embedding?] {
        let texts = phrases.map { MeaningText.of(phrase: $0) }
        let asked = texts.filter { !$0.isEmpty }
        guard !asked.isEmpty else { return texts.map { _ in nil } }
        embedder.expect(again: asked)
        do throws(StageFailure) {
            let found = try await embedder.embeddings(of: asked)
            guard found.count == asked.count else { return texts.map { _ in nil } }
            var rest = found[...]
            return texts.map { $0.isEmpty ? nil : rest.popFirst() }
        } catch {
            guard error.failureClass.isRetryable else { throw error }
            return texts.map { _ in nil }
        }
    }
}

extension CatalogueIndex {
    /// What phrases find, with the scores; the best first.
    package func found(for phrases: [Phrase]) throws(StageFailure) -> [Hit] {
        do throws(VectorSearchError) {
            return try hits(for: phrases)
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "the catalogue cannot be searched: \(error)")
        }
    }

    /// Of what phrases find the allowed items, with the scores; the best first.
    package func found(
        for phrases: [Phrase],
        where isAllowed: (Candidate) -> Bool
    ) throws(StageFailure) -> [(candidate: Candidate, score: Double)] {
        try found(for: phrases).filter { isAllowed(candidates[$0.place]) }.map { (candidates[$0.place], $0.score) }
    }

    /// The items that a wanted of this index's provider allows, in order.
    package func candidates(allowedBy wanted: CatalogueQuery) -> [Candidate] {
        places(allowedBy: wanted).map { candidates[$0] }
    }

    /// The places of the items that a wanted of this index's provider allows, in order.
    func places(allowedBy wanted: CatalogueQuery) -> [Int] {
        types.isSubset(of: wanted.types)
            ? Array(candidates.indices) : candidates.indices.filter { wanted.types.contains(candidates[$0].type) }
    }
}

/// The phrases of the last few queries, cleaned, since each provider of a run is asked for the same ones.
final class CleanPhrases: Sendable {
    private struct State {
        var entries: [(given: [String], clean: [String])] = []
        /// Which entry makes room next.
        var oldest = 0
    }

    private let mostEntries = 8
    private let state = Mutex(State())

    func phrases(_ given: [String]) -> [String] {
        // Compared by their bytes, since texts that are equal may still be read differently.
        let known = state.withLock { state in
            state.entries.first { entry in entry.given.elementsEqual(given) { ExactText($0) == ExactText($1) } }
        }
        if let known { return known.clean }
        let clean = CatalogueQuery.clean(given)
        state.withLock { state in
            if state.entries.count < mostEntries {
                state.entries.append((given, clean))
            } else {
                state.entries[state.oldest] = (given, clean)
                state.oldest = (state.oldest + 1) % mostEntries
            }
        }
        return clean
    }
}
