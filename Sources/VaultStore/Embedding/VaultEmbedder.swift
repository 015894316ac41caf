package import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization
package import VectorSearch

/// A run's embedder that knows what the database has of the vault's hints, and keeps what it had to make for them.
///
/// Vectors of another model count as missing: they are made anew and never compared.
package final class VaultEmbedder: TextEmbedder {
    private let base: any TextEmbedder
    private let hints: [Hint]
    private let known: [String: Embedding]
    private let made = Mutex<[String: Embedding]>([:])

    package var model: String { base.model }

    /// The stored embeddings of whatever models.
    package init(_ base: any TextEmbedder, hints: [Hint], stored: [HintID: Embedding]) {
        self.base = base
        self.hints = hints
        var known: [String: Embedding] = [:]
        for hint in hints {
            if let embedding = stored[hint.id], embedding.model == base.model { known[hint.text] = embedding }
        }
        self.known = known
    }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        var seen: Set<String> = []
        let missing = made.withLock { made in
            texts.filter { known[$0] == nil && made[$0] == nil && seen.insert($0).inserted }
        }
        if !missing.isEmpty {
            let vectors = try await base.embeddings(of: missing)
            guard vectors.count == missing.count else {
                throw StageFailure(.provider, code: "embedding_count", "the embedder gave \(vectors.count) vectors")
            }
            made.withLock { made in
                for (text, vector) in zip(missing, vectors) { made[text] = vector }
            }
        }
        let made = made.withLock { $0 }
        return texts.compactMap { known[$0] ?? made[$0] }
    }

    /// What stores that, in the order of the hints' ids.
    var statements: [SQLQuery] {
        let known = fresh.compactMap { item in
            PostgresUUID(item.hint.id.text).map { (hint: PendingHint(id: $0, stored: item.hint.text), item.embedding) }
        }
        return known.sorted { $0.hint.id < $1.hint.id }.map { HintEmbeddingStore.update($0.hint, $0.1) }
    }

    /// What was made for hints in this run, to be stored with them.
    package var fresh: [(hint: Hint, embedding: Embedding)] {
        let made = made.withLock { $0 }
        return hints.compactMap { hint in made[hint.text].map { (hint, $0) } }
    }
}
