import KnotDomain
import Recommendation
import StageGraph
import VectorSearch

extension CatalogueWish {
    /// The phrases as shelves are searched for them: with vectors where one of the shelves has some to compare them with.
    ///
    /// Without an embedder or while it is down there are none, since words still serve then.
    func shelfPhrases(
        _ embedder: (any TextEmbedder)?,
        for shelves: [CatalogueShelf]
    ) async throws(StageFailure) -> [CatalogueShelf.Phrase] {
        guard let embedder, shelves.contains(where: { $0.meaning?.model == embedder.model }) else {
            return phrases.map { CatalogueShelf.Phrase(text: $0, vector: nil) }
        }
        let vectors = try await vectors(of: phrases, embedder)
        return zip(phrases, vectors).map { CatalogueShelf.Phrase(text: $0, vector: $1) }
    }

    /// A vector for each phrase, of the text that later stages compare it by; nil where it has none.
    func vectors(
        of phrases: [String],
        _ embedder: any TextEmbedder
    ) async throws(StageFailure) -> [Embedding?] {
        let texts = phrases.map { MeaningText.of(phrase: $0) }
        let asked = texts.filter { !$0.isEmpty }
        guard !asked.isEmpty else { return texts.map { _ in nil } }
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

extension CatalogueShelf {
    /// What phrases find of the allowed items, the best first.
    func candidates(
        for phrases: [Phrase],
        where isAllowed: (Candidate) -> Bool
    ) throws(StageFailure) -> [Candidate] {
        try found(for: phrases, where: isAllowed).map(\.candidate)
    }

    /// The same with the scores.
    func found(
        for phrases: [Phrase],
        where isAllowed: (Candidate) -> Bool
    ) throws(StageFailure) -> [(candidate: Candidate, score: Double)] {
        do throws(VectorSearchError) {
            return try hits(for: phrases).map { (candidates[$0.place], $0.score) }.filter { isAllowed($0.candidate) }
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "the catalogue cannot be searched: \(error)")
        }
    }
}
