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
    private static var attempts: Int { 4 }

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
        var attempt = 1
        while true {
            do throws(PostgresError) {
                return try await write(statements, until: deadline)
            } catch {
                // Done twice it is the same, so that even a lost COMMIT may be tried again.
                let isWorthIt = error.isTransient || error.code == .unknownCommit
                guard isWorthIt, attempt < Self.attempts, ContinuousClock.now < deadline else { throw error }
                attempt += 1
            }
        }
    }

    private func write(
        _ statements: [SQLQuery],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int {
        try await pool.withConnection(until: deadline) { connection throws(PostgresError) in
            try await connection.transaction(until: deadline) { transaction throws(PostgresError) in
                let done = try await transaction.pipeline(statements)
                return done.reduce(0) { $0 + ($1.affected ?? 0) }
            }
        }
    }
}
