package import Recommendation
package import StageGraph
import VectorSearch

/// `embed`: gives every hint or every item of the catalogue an embedding of one model, batch by batch.
///
/// What is stored is done: stopped at any moment, it goes on where it was. Another model's vectors are replaced.
package struct EmbeddingBackfill: Sendable {
    /// How far it is.
    package struct Progress: Sendable, Hashable {
        /// How many there were to do at the start.
        package let total: Int
        package internal(set) var stored = 0
        /// Those that changed or went away while they were embedded, and those with nothing to embed.
        package internal(set) var left = 0

        package var done: Int { stored + left }
    }

    /// Why it did not come to its end.
    package enum Failure: Error, Sendable {
        case database(PostgresError)
        case embedder(StageFailure)
    }

    private let store: any EmbeddingStore
    private let embedder: any TextEmbedder
    private let batch: Int
    private let limit: Duration

    package init(
        _ store: any EmbeddingStore,
        _ embedder: any TextEmbedder,
        batch: Int = 64,
        limit: Duration = .seconds(60)
    ) {
        self.store = store
        self.embedder = embedder
        self.batch = max(1, batch)
        self.limit = limit
    }

    /// Embeds what is missing, of one vault or of all, and returns what became of it.
    package func run(
        vault: PostgresUUID? = nil,
        progress: (Progress) async -> Void = { _ in }
    ) async throws(Failure) -> Progress {
        var state = Progress(
            total: try await database { () async throws(PostgresError) in
                try await store.pendingCount(model: embedder.model, vault: vault, until: .now + limit)
            }
        )
        var last: PendingText?
        while true {
            let after = last
            let page = try await database { () async throws(PostgresError) in
                try await store.pending(
                    model: embedder.model,
                    vault: vault,
                    after: after,
                    limit: batch,
                    until: .now + limit
                )
            }
            guard let end = page.last else { return state }
            let stored = try await embed(page)
            state.stored += stored
            state.left += page.count - stored
            await progress(state)
            last = end
        }
    }

    private func embed(_ page: [PendingText]) async throws(Failure) -> Int {
        let texts = page.filter { !$0.text.isEmpty }
        guard !texts.isEmpty else { return 0 }
        let vectors: [Embedding]
        do throws(StageFailure) {
            vectors = try await embedder.embeddings(of: texts.map(\.text))
            guard vectors.count == texts.count, vectors.allSatisfy({ $0.model == embedder.model }) else {
                throw StageFailure(.provider, code: "embedding_count", "the embedder gave other vectors than asked for")
            }
        } catch {
            throw .embedder(error)
        }
        let pairs = zip(texts, vectors).map { (text: $0, embedding: $1) }
        return try await database { () async throws(PostgresError) in
            try await store.store(pairs, until: .now + limit)
        }
    }

    private func database<Value: Sendable>(
        _ work: () async throws(PostgresError) -> Value
    ) async throws(Failure) -> Value {
        do throws(PostgresError) {
            return try await work()
        } catch {
            throw .database(error)
        }
    }
}
