package import StageGraph
package import TextEncoding
package import VectorSearch

/// The embedder a replay has: it has the recorded one's name, and makes nothing.
package struct UnpluggedEmbedder: TextEmbedder {
    package let model: String
    package let profile: CosineProfile?

    package init(model: String, profile: CosineProfile? = .reference) {
        self.model = model
        self.profile = profile
    }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        throw StageFailure(.stage, code: "unplugged", "an embedding was asked for where there is no outside")
    }
}
