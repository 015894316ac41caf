import Recommendation
package import StageGraph
import Synchronization
package import VectorSearch

/// An embedder for tests: words share axes where they are told to mean the same, and have axes of their own else.
package final class WordAxes: TextEmbedder {
    package let model: String
    private let meanings: [String: String]
    private let asked = Mutex<[[String]]>([])

    /// The words of one list mean the same.
    package init(_ model: String = "axes", alike: [[String]] = []) {
        self.model = model
        var meanings: [String: String] = [:]
        for words in alike {
            for word in words { meanings[word] = words[0] }
        }
        self.meanings = meanings
    }

    /// The texts of each call.
    package var calls: [[String]] { asked.withLock { $0 } }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        asked.withLock { $0.append(texts) }
        return texts.map { text in
            var values = [Float](repeating: 0, count: Embedding.dimension)
            for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
                values[axis(of: meanings[String(word)] ?? String(word))] += 1
            }
            guard let embedding = Embedding(values, model: model) else { preconditionFailure("768 finite numbers") }
            return embedding
        }
    }

    private func axis(of word: String) -> Int {
        Int(word.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } % 768)
    }
}
