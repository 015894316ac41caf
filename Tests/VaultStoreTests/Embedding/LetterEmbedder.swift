import Recommendation
import StageGraph
import Synchronization
import VectorSearch

/// A vector for each text from its letters, by no model that anybody has; it tells what it was asked for.
final class LetterEmbedder: TextEmbedder {
    let model: String
    /// Called with each batch before it is embedded.
    private let meanwhile: @Sendable ([String]) async -> Void
    /// The batch, counted from one, at which it fails.
    private let failsAt: Int
    private let batches = Mutex<[[String]]>([])
    private let told = Mutex<[Int]>([])

    init(
        model: String = "letters",
        failsAt: Int = .max,
        meanwhile: @escaping @Sendable ([String]) async -> Void = { _ in }
    ) {
        self.model = model
        self.failsAt = failsAt
        self.meanwhile = meanwhile
    }

    var asked: [[String]] { batches.withLock { $0 } }
    /// How many of the texts of each batch were said to be offers'.
    var offers: [Int] { told.withLock { $0 } }

    static func values(_ text: String) -> [Float] {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        for byte in text.utf8 { values[Int(byte)] += 1 }
        return values
    }

    func embeddings(of texts: [String], offers: Int) async throws(StageFailure) -> [Embedding] {
        told.withLock { $0.append(offers) }
        return try await embeddings(of: texts)
    }

    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        let count = batches.withLock { batches in
            batches.append(texts)
            return batches.count
        }
        if count >= failsAt { throw StageFailure(.platform, code: "test", "the embedder is down") }
        await meanwhile(texts)
        return texts.compactMap { Embedding(Self.values($0), model: model) }
    }
}
