package import VectorSearch

/// Texts in the database that are to have embeddings: which have none yet, and how they get in beside everybody who
/// writes.
package protocol EmbeddingStore: Sendable {
    var pool: ConnectionPool { get }

    /// How many texts have no embedding of this model, of one vault or of all.
    func pendingCount(
        model: String,
        vault: PostgresUUID?,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int

    /// Texts without an embedding of this model in the order of their rows: those after one, at most so many.
    func pending(
        model: String,
        vault: PostgresUUID?,
        after last: PendingText?,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [PendingText]
}

extension EmbeddingStore {
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
