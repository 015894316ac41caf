import HintRules
import Recommendation
package import StageGraph
package import TextEncoding
import TextReading
import VaultStore
package import VectorSearch

/// An embedder whose vectors of the vocabulary and of offers outlive the process, in files.
///
/// The words that interests, vibes and love languages are told by are the same for every vault and nobody's secret, and so
/// are the phrases of the rules' tables; to embed them took most of the time of a run of one vault. Offers are public too,
/// and their vectors have a file of their own. Everything else is kept in memory and nowhere else. Which phrases a vault was
/// served by would tell of it, so a run adds none of them: `learn` puts all of them into the file at once.
package struct VocabularyEmbedder: TextEmbedder, CommonVectors {
    /// The texts that stages compare by, whatever the vault.
    static let texts = Set(Prototypes.shared.texts.map(MeaningText.of(phrase:)))

    /// All that may be in the file: the rules' phrases as stages compare by them, and as catalogues are searched for them.
    static var everything: Set<String> {
        let phrases = RulesReader.phrases
        let asked = phrases.compactMap { PublicPhrases.phrase($0) }
        return Set((phrases + asked).map(MeaningText.of(phrase:))).union(texts).subtracting([""])
    }

    private let file: EmbeddingCacheFile?
    /// What of the file was asked for in this process.
    private let known: EmbeddingCache
    private let vocabulary: EncoderEmbedder
    /// Offers, and what belongs into no file.
    private let others: EncoderEmbedder

    package init(
        _ encoder: Encoder,
        file: EmbeddingCacheFile?,
        offers: EmbeddingCacheFile? = nil,
        profile: CosineProfile?
    ) {
        self.file = file
        known = EmbeddingCache(file: file)
        vocabulary = EncoderEmbedder(encoder, cache: known, profile: profile)
        let cache = EmbeddingCache(file: offers)
        others = EncoderEmbedder(encoder, cache: cache, profile: profile, filing: .offers(and: []))
    }

    package var model: String { others.model }
    package var profile: CosineProfile? { others.profile }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        try await embeddings(of: texts, offers: 0)
    }

    package func embeddings(of texts: [String], offers: Int) async throws(StageFailure) -> [Embedding] {
        let common = texts.map(hasForAll)
        let parts = zip(texts, common)
        var known = try await vocabulary.embeddings(of: parts.filter(\.1).map(\.0))[...]
        let offers = common.prefix(offers).count { !$0 }
        var found = try await others.embeddings(of: parts.filter { !$1 }.map(\.0), offers: offers)[...]
        return common.compactMap { $0 ? known.popFirst() : found.popFirst() }
    }

    package func ready(_ texts: [String]) -> [Embedding?] {
        texts.map { (hasForAll($0) ? vocabulary : others).ready([$0])[0] }
    }

    package var bytesOfCall: Int? { others.bytesOfCall }

    /// Whether a text is for the file, or there already.
    package func hasForAll(_ text: String) -> Bool {
        Self.texts.contains(text) || file?.embedding(for: EmbeddingKey(model: model, text: text)) != nil
    }

    /// Takes up what every run compares by, as far as it is in the file, before the first run asks for it.
    package func prepare() {
        for text in Self.texts { _ = known.embedding(for: EmbeddingKey(model: model, text: text)) }
    }

    /// Puts all that is the same for every vault into the file; what it has is not made again.
    package func learn() async throws(StageFailure) {
        guard file?.access == .appending else { return }
        _ = try await vocabulary.embeddings(of: Self.everything.sorted())
    }
}
