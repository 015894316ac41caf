import Synchronization
package import VectorSearch

/// An encoder that encodes each text once and takes it from the cache afterwards.
package struct CachedEncoder<Failure: Error>: Sendable {
    package typealias Encode = @Sendable ([String]) throws(Failure) -> [Embedding]

    package let model: String
    package let variant: String
    package let cache: EmbeddingCache
    private let encode: Encode

    /// `encode` gives one embedding of `model` for each text, in order; `variant` is that of `EmbeddingKey`.
    package init(model: String, variant: String = "", cache: EmbeddingCache, encode: @escaping Encode) {
        self.model = model
        self.variant = variant
        self.cache = cache
        self.encode = encode
    }

    /// Returns what the cache has of a text.
    package func known(_ text: String) -> Embedding? {
        cache.embedding(for: EmbeddingKey(model: model, variant: variant, text: text))
    }

    /// One embedding for each text, in order; what is missing is encoded in one batch, each text once.
    ///
    /// Only texts that `isFiled` accepts are added to the cache's file; all are kept in memory.
    package func embeddings(
        of texts: [String],
        filing isFiled: (String) -> Bool = { _ in true }
    ) throws(Failure) -> [Embedding] {
        var places: [EmbeddingKey: Int] = [:]
        var keys: [EmbeddingKey] = []
        var known: [Embedding?] = []
        var missing: [(text: String, place: Int)] = []
        var order: [Int] = []
        order.reserveCapacity(texts.count)
        for text in texts {
            let key = EmbeddingKey(model: model, variant: variant, text: text)
            if let place = places[key] {
                order.append(place)
                continue
            }
            let embedding = cache.embedding(for: key)
            if embedding == nil { missing.append((text, keys.count)) }
            places[key] = keys.count
            order.append(keys.count)
            keys.append(key)
            known.append(embedding)
        }
        if !missing.isEmpty {
            let gaps = missing.map { (text: $0.text, key: keys[$0.place], isFiled: isFiled($0.text)) }
            for (gap, embedding) in zip(missing, try made(gaps)) {
                known[gap.place] = embedding
            }
        }
        return order.map { place in
            guard let embedding = known[place] else { preconditionFailure("a text was neither known nor missing") }
            return embedding
        }
    }

    /// Embeddings of texts that the cache did not have; it may have them when this caller comes to encode.
    private func made(_ texts: [(text: String, key: EmbeddingKey, isFiled: Bool)]) throws(Failure) -> [Embedding] {
        // The encoder is called under the lock on purpose: what two callers miss at once is encoded once, and an encoder uses
        // all threads that it has. It never comes back to this cache.
        try cache.encoding.withLock { _ throws(Failure) in
            var found = texts.map { cache.added(for: $0.key) }
            let gaps = found.indices.filter { found[$0] == nil }
            guard !gaps.isEmpty else { return found.compactMap(\.self) }
            let made = try encode(gaps.map { texts[$0].text })
            precondition(
                made.count == gaps.count && made.allSatisfy { $0.model == model },
                "an encoder of \(model) gave other embeddings than it was asked for"
            )
            let filed = Set(gaps.filter { texts[$0].isFiled }.map { texts[$0].key })
            cache.insert(zip(gaps, made).map { (texts[$0].key, $1) }, filing: filed.contains)
            for (gap, embedding) in zip(gaps, made) { found[gap] = embedding }
            return found.compactMap(\.self)
        }
    }
}
