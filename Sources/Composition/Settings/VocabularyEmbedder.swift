import Recommendation
package import StageGraph
package import TextEncoding
import TextReading
package import VectorSearch

/// An embedder whose vectors of the vocabulary outlive the process, in a file.
///
/// The words that interests, vibes and love languages are told by are the same for every vault and nobody's secret; to
/// embed them took most of the time of a run of one vault. Everything else is kept in memory and nowhere else.
package struct VocabularyEmbedder: TextEmbedder {
    /// The texts that stages compare by, whatever the vault.
    static let texts = Set(Prototypes.shared.texts.map(MeaningText.of(phrase:)))

    private let vocabulary: EncoderEmbedder
    private let others: EncoderEmbedder

    package init(_ encoder: Encoder, file: EmbeddingCacheFile?, profile: CosineProfile?) {
        vocabulary = EncoderEmbedder(encoder, cache: EmbeddingCache(file: file), profile: profile)
        others = EncoderEmbedder(encoder, cache: EmbeddingCache(), profile: profile)
    }

    package var model: String { others.model }
    package var profile: CosineProfile? { others.profile }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        let common = texts.filter { Self.texts.contains($0) }
        guard !common.isEmpty else { return try await others.embeddings(of: texts) }
        var known = try await vocabulary.embeddings(of: common)[...]
        var found = try await others.embeddings(of: texts.filter { !Self.texts.contains($0) })[...]
        return texts.compactMap { Self.texts.contains($0) ? known.popFirst() : found.popFirst() }
    }
}
