package import StageGraph
package import TextEncoding
package import VectorSearch

/// Turns texts into vectors of one model.
package protocol TextEmbedder: Sendable {
    var model: String { get }
    /// What its cosines mean; nil where nobody found out, and then they are not to be held against any threshold.
    var profile: CosineProfile? { get }

    /// One embedding for each text, in order.
    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding]
}

extension TextEmbedder {
    package var profile: CosineProfile? { .reference }
}
