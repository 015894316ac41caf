package import StageGraph
package import VectorSearch

/// Turns texts into vectors of one model.
package protocol TextEmbedder: Sendable {
    var model: String { get }

    /// One embedding for each text, in order.
    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding]
}
