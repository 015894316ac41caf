package import StageGraph
package import TextEncoding
package import VectorSearch

/// The encoder of this process as the stages' embedder; what it has embedded before, it takes from its cache.
package struct EncoderEmbedder: TextEmbedder {
    private let encoder: CachedEncoder<EncoderError>
    package let profile: CosineProfile?

    /// The reference model needs no profile of its own.
    package init(_ encoder: Encoder, cache: EmbeddingCache, profile: CosineProfile? = nil) {
        self.profile = encoder.isReference ? .reference : profile
        self.encoder = CachedEncoder(model: encoder.model, cache: cache) { (texts: [String]) throws(EncoderError) in
            try encoder.encode(texts)
        }
    }

    package var model: String { encoder.model }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        do throws(EncoderError) {
            return try encoder.embeddings(of: texts)
        } catch {
            throw StageFailure(.provider, code: "encoder_\(error.code.rawValue)", error.description)
        }
    }
}
