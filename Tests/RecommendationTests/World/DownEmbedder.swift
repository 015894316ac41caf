import Recommendation
import StageGraph
import VectorSearch

/// An embedder whose service is down.
struct DownEmbedder: TextEmbedder {
    let model = "down"

    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        throw StageFailure(.provider, code: "unreachable", "the embedder does not answer")
    }
}
