import Synchronization
package import VectorSearch

/// Embeddings that need not be made again: some in memory and, with a file, all that were ever made.
///
/// Safe from several threads. A file that cannot be written to any more is a note and no error: the run goes on without.
package final class EmbeddingCache: Sendable {
    /// Where embeddings were found.
    package struct Counts: Sendable, Equatable {
        package var memoryHits = 0
        package var fileHits = 0
        package var misses = 0
    }

    /// Twelve megabytes of embeddings.
    package static let usualLimit = 4_096

    /// Whose turn it is to encode what is missing here.
    let turn = EncodingTurn()
    private let file: EmbeddingCacheFile?
    private let state: Mutex<State>

    private struct State {
        var memory: EmbeddingMemory
        var counts = Counts()
        var notes: [String] = []
        var isFileWritten: Bool
    }

    /// Keeps at most `limit` embeddings in memory.
    package init(limit: Int = EmbeddingCache.usualLimit, file: EmbeddingCacheFile? = nil) {
        self.file = file
        let isWritten = file?.access == .appending
        state = Mutex(
            State(memory: EmbeddingMemory(limit: limit), notes: file?.notes ?? [], isFileWritten: isWritten)
        )
    }

    package var counts: Counts { state.withLock { $0.counts } }

    /// What somebody should know about the file, in the order in which it was found.
    package var notes: [String] { state.withLock { $0.notes } }

    /// What another caller has added meanwhile, without counting it as a question of its own.
    func added(for key: EmbeddingKey) -> Embedding? { state.withLock { $0.memory.embedding(for: key) } }

    package func embedding(for key: EmbeddingKey) -> Embedding? {
        let known = state.withLock { state in
            let known = state.memory.embedding(for: key)
            if known != nil { state.counts.memoryHits += 1 }
            return known
        }
        if let known { return known }
        let found = file?.embedding(for: key)
        state.withLock { state in
            guard let found else { return state.counts.misses += 1 }
            state.counts.fileHits += 1
            state.memory.insert(found, for: key)
        }
        return found
    }

    /// Keeps embeddings, each under its key.
    package func insert(_ embeddings: [(key: EmbeddingKey, embedding: Embedding)]) {
        let isFileWritten = state.withLock { state in
            for (key, embedding) in embeddings { state.memory.insert(embedding, for: key) }
            return state.isFileWritten
        }
        guard isFileWritten, let file else { return }
        do throws(EmbeddingCacheError) {
            try file.append(embeddings)
        } catch {
            state.withLock { state in
                guard state.isFileWritten else { return }
                state.isFileWritten = false
                state.notes.append("\(error.description) The run goes on without adding to it.")
            }
        }
    }
}
