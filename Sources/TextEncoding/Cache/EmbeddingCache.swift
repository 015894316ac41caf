import Digest
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

    /// Lets the encoders of this cache work one after another.
    let encoding = Mutex(())
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

    /// What is odd about the file, in the order in which it was found.
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

    /// Keeps embeddings, each under its key; those that `isFiled` rejects stay out of the file.
    package func insert(
        _ embeddings: [(key: EmbeddingKey, embedding: Embedding)],
        filing isFiled: (EmbeddingKey) -> Bool = { _ in true }
    ) {
        let isFileWritten = state.withLock { state in
            for (key, embedding) in embeddings { state.memory.insert(embedding, for: key) }
            return state.isFileWritten
        }
        guard isFileWritten, let file else { return }
        do throws(EmbeddingCacheError) {
            try file.append(embeddings.filter { isFiled($0.key) })
        } catch {
            state.withLock { state in
                guard state.isFileWritten else { return }
                state.isFileWritten = false
                state.notes.append("\(error.description) The run goes on without adding to it.")
            }
        }
    }
}

/// Embeddings kept in memory, at most so many; those used least recently go first, half of them at a time.
struct EmbeddingMemory {
    let limit: Int
    /// Those asked for or added since the last change of generations.
    private var young: [EmbeddingKey: Embedding] = [:]
    private var old: [EmbeddingKey: Embedding] = [:]

    /// A limit below 2 keeps nothing.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    var count: Int { young.count + old.count }

    /// The embedding under a key, which is thereby used.
    mutating func embedding(for key: EmbeddingKey) -> Embedding? {
        if let embedding = young[key] { return embedding }
        guard let embedding = old.removeValue(forKey: key) else { return nil }
        insert(embedding, for: key)
        return embedding
    }

    mutating func insert(_ embedding: Embedding, for key: EmbeddingKey) {
        let half = limit / 2
        guard half > 0 else { return }
        old[key] = nil
        if young.count >= half, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = embedding
    }
}

/// What an embedding is kept under: the model that made it and the text it was made of.
package struct EmbeddingKey: Hashable, Sendable {
    package let model: String
    package let text: TextDigest

    package init(model: String, text: TextDigest) {
        self.model = model
        self.text = text
    }

    /// Of a text itself; `variant` names what beside model and text decides the numbers, such as a precision or a prefix.
    package init(model: String, variant: String = "", text: String) {
        self.init(model: model, text: TextDigest(of: text, variant: variant))
    }
}

/// The SHA-256 of a text's UTF-8, kept in one piece so that tables of many take little room.
///
/// Two texts that look the same and differ in their bytes are two texts here, as they are to a tokenizer.
package struct TextDigest: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Of a text, or of a text in one of several variants.
    package init(of text: String, variant: String = "") {
        let digest = SHA256Digest(of: text)
        // Two digests in a row cannot be the UTF-8 of a text but by accident.
        self.init(variant.isEmpty ? digest : SHA256Digest(of: SHA256Digest(of: variant).bytes + digest.bytes))
    }

    /// Of 32 bytes that are one.
    package init?(bytes: [UInt8]) {
        guard let digest = SHA256Digest(bytes: bytes) else { return nil }
        self.init(digest)
    }

    private init(_ digest: SHA256Digest) {
        let bytes = digest.bytes
        words = (bytes.littleWord(at: 0), bytes.littleWord(at: 8), bytes.littleWord(at: 16), bytes.littleWord(at: 24))
    }

    /// From four words, each little-endian as it stands in a file.
    init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        words = (first, second, third, fourth)
    }

    /// The words as they stand in a file.
    var littleWords: [UInt64] { [words.0, words.1, words.2, words.3] }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        // Every part of a SHA-256 is as random as the whole.
        hasher.combine(words.0)
    }
}

extension [UInt8] {
    fileprivate func littleWord(at start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(self[start + $1]) << UInt64(8 * $1) }
    }
}
