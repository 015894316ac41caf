import Recommendation
package import StageGraph
package import TextEncoding
package import VectorSearch

/// The encoder of this process as the stages' embedder; what it has embedded before, it takes from its cache.
package struct EncoderEmbedder: TextEmbedder {
    /// Which vectors go into the cache's file, where it has one.
    package enum Filing: Sendable {
        case everything
        /// Those of offers and of these texts, which are the same for everybody; each for the kernels that made it, so that a run
        /// gives the same bytes with the file and without.
        case offers(and: Set<String>)
    }

    private let encoder: CachedEncoder<EncoderError>
    private let filing: Filing
    package let profile: CosineProfile?
    package let bytesOfCall: Int?

    /// The reference model needs no profile of its own.
    package init(
        _ encoder: Encoder,
        cache: EmbeddingCache,
        profile: CosineProfile? = nil,
        filing: Filing = .everything
    ) {
        self.profile = encoder.isReference ? .reference : profile
        self.filing = filing
        bytesOfCall = Self.bytesOfThread * encoder.threads
        let variant = if case .offers = filing { encoder.kernels } else { "" }
        self.encoder = CachedEncoder(model: encoder.model, variant: variant, cache: cache) {
            (texts: [String]) throws(EncoderError) in try encoder.encode(texts)
        }
    }

    /// About what an encoder's thread takes together.
    private static let bytesOfThread = 2_048

    package var model: String { encoder.model }

    package func ready(_ texts: [String]) -> [Embedding?] { texts.map(encoder.known) }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        try await embeddings(of: texts, offers: 0)
    }

    package func embeddings(of texts: [String], offers: Int) async throws(StageFailure) -> [Embedding] {
        do throws(EncoderError) {
            switch filing {
            case .everything: return try encoder.embeddings(of: texts)
            case .offers(let common):
                let filed = common.union(texts.prefix(offers))
                return try encoder.embeddings(of: texts, filing: filed.contains)
            }
        } catch {
            throw StageFailure(.provider, code: "encoder_\(error.code.rawValue)", error.description)
        }
    }
}
