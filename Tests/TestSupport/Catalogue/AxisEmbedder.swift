import Recommendation
package import StageGraph
package import VectorSearch

/// Knows one axis for each word it was told, and has nothing to say of others.
package struct AxisEmbedder: TextEmbedder {
    package let model: String
    let axes: [String: Int]
    let isDown: Bool

    package init(model: String, axes: [String: Int], isDown: Bool = false) {
        self.model = model
        self.axes = axes
        self.isDown = isDown
    }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        if isDown { throw StageFailure(.provider, code: "down", "the embedder is down") }
        return texts.map { text in
            var values = [Float](repeating: 0, count: Embedding.dimension)
            if let axis = axes[text] { values[axis] = 1 }
            guard let embedding = Embedding(values, model: model) else { preconditionFailure("768 finite numbers") }
            return embedding
        }
    }
}
