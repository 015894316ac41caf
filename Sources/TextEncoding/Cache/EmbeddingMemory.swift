import VectorSearch

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
