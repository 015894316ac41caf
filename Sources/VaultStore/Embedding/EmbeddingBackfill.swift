import KnotDomain
package import PostgresClient
package import Recommendation
package import StageGraph
import Synchronization
package import VectorSearch

/// `embed`: gives every hint or every item of the catalogue an embedding of one model, batch by batch.
///
/// What is stored is done: stopped at any moment, it goes on where it was. Another model's vectors are replaced.
package struct EmbeddingBackfill: Sendable {
    /// How far it is.
    package struct Progress: Sendable, Hashable {
        /// How many there were to do at the start.
        package let total: Int
        package internal(set) var stored = 0
        /// Those that changed or went away while they were embedded: they are for the next time.
        package internal(set) var left = 0
        /// Those with nothing to embed, now and the next time.
        package internal(set) var wordless = 0

        package var done: Int { stored + left + wordless }
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
            let texts = page.filter { !$0.text.isEmpty }
            let stored = try await embed(texts)
            state.stored += stored
            state.left += texts.count - stored
            state.wordless += page.count - texts.count
            await progress(state)
            last = end
        }
    }

    private func embed(_ texts: [PendingText]) async throws(Failure) -> Int {
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

/// Texts in the database that are to have embeddings: which have none yet, and how they get in beside everybody who
/// writes.
package protocol EmbeddingStore: Sendable {
    var pool: ConnectionPool { get }

    /// Counts, as `n`, the texts without an embedding of this model, of one vault or of all.
    static func count(_ model: String, _ vault: PostgresUUID?) -> SQLQuery

    /// Reads texts without an embedding of this model in the order of their rows: those after one, at most so many.
    static func page(_ model: String, _ vault: PostgresUUID?, after last: PendingText?, _ limit: Int) -> SQLQuery

    /// One row of a page.
    static func text(_ row: Row) throws(PostgresError) -> PendingText
}

extension EmbeddingStore {
    /// How many texts have no embedding of this model, of one vault or of all.
    package func pendingCount(
        model: String,
        vault: PostgresUUID?,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int {
        try await pool.read([Self.count(model, vault)], until: deadline)[0].only().decode("n")
    }

    /// Texts without an embedding of this model in the order of their rows: those after one, at most so many.
    package func pending(
        model: String,
        vault: PostgresUUID?,
        after last: PendingText?,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [PendingText] {
        let rows = try await pool.read([Self.page(model, vault, after: last, max(0, limit))], until: deadline)
        return try rows[0].map { row throws(PostgresError) in try Self.text(row) }
    }

    /// Stores embeddings all together, and returns how many texts have theirs now.
    ///
    /// A row that was deleted meanwhile, or says something else by now, is left alone. Texts are given in their rows' order,
    /// so that two who embed the same wait for each other and do not lock each other out.
    package func store(
        _ embeddings: [(text: PendingText, embedding: Embedding)],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int {
        let statements = embeddings.map { $0.text.update($0.embedding) }
        guard !statements.isEmpty else { return 0 }
        return try await pool.write(until: deadline) { transaction throws(PostgresError) in
            let done = try await transaction.pipeline(statements)
            return .written(done.reduce(0) { $0 + ($1.affected ?? 0) }, .byRepeating)
        }
    }
}

/// A text in the database that has no embedding of a model yet.
package struct PendingText: Sendable {
    /// What its row is told apart by, in the order of pages.
    let key: String
    /// As it is to be embedded; empty where there is nothing to embed.
    package let text: String
    /// Gives the row its embedding, if it still says what was embedded.
    let update: @Sendable (Embedding) -> SQLQuery
}

/// A hint that has no embedding of a model yet.
package struct PendingHint: Sendable, Hashable {
    package let id: PostgresUUID
    /// As the row has it: what a later change is noticed by.
    let stored: String

    /// As every reader of vaults cleans it, and as it is to be embedded.
    package var text: String { BoundaryText.clean(stored, limit: 8 * TextLimit.hintCharacters) }
}
