package import VectorSearch

/// Embeddings of hints in the database: which are missing, and how they get in beside everybody who writes.
package struct HintEmbeddingStore: Sendable {
    private static let attempts = 4

    private let pool: ConnectionPool
    private let identity: ActingIdentity

    package init(_ pool: ConnectionPool, as identity: ActingIdentity = .connection) {
        self.pool = pool
        self.identity = identity
    }

    /// How many hints have no embedding of this model, of one vault or of all.
    package func pendingCount(
        model: String,
        vault: PostgresUUID? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int {
        let rows = try await pool.read(
            ["select count(*) as n from public.hints h where \(fragment: Self.isPending(model, vault))"],
            as: identity,
            until: deadline
        )
        return try rows[0].only().decode("n")
    }

    /// Hints without an embedding of this model, in the order of their ids: those after one, at most so many.
    package func pending(
        model: String,
        vault: PostgresUUID? = nil,
        after last: PostgresUUID? = nil,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [PendingHint] {
        let place: SQLQuery = last.map { "and h.id > \($0)" } ?? ""
        let rows = try await pool.read(
            [
                """
                select h.id, h.hint_text from public.hints h
                where \(fragment: Self.isPending(model, vault)) \(fragment: place)
                order by h.id limit \(max(0, limit))
                """
            ],
            as: identity,
            until: deadline
        )
        return try rows[0].map { row throws(PostgresError) in
            PendingHint(id: try row.decode("id"), stored: try row.decode("hint_text"))
        }
    }

    /// Stores embeddings all together, and returns how many hints have theirs now.
    ///
    /// A hint that was deleted meanwhile, or says something else by now, is left alone.
    package func store(
        _ embeddings: [(hint: PendingHint, embedding: Embedding)],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int {
        // In one order, so that two who embed the same hints wait for each other and do not lock each other out.
        let statements = embeddings.sorted { $0.hint.id < $1.hint.id }.map { Self.update($0.hint, $0.embedding) }
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

    /// Gives a hint its embedding, if it still says what was embedded.
    static func update(_ hint: PendingHint, _ embedding: Embedding) -> SQLQuery {
        """
        update public.hints h
        set hint_embedding = \(PostgresVector(embedding.values)), hint_embedding_model = \(embedding.model)
        where h.id = \(hint.id) and h.hint_text = \(hint.stored)
        """
    }

    private func write(
        _ statements: [SQLQuery],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int {
        try await pool.withConnection(until: deadline) { connection throws(PostgresError) in
            try await connection.transaction(until: deadline) { transaction throws(PostgresError) in
                let done = try await transaction.pipeline(identity.statements + statements)
                return done.suffix(statements.count).reduce(0) { $0 + ($1.affected ?? 0) }
            }
        }
    }

    private static func isPending(_ model: String, _ vault: PostgresUUID?) -> SQLQuery {
        let pending: SQLQuery = "(h.hint_embedding is null or h.hint_embedding_model is distinct from \(model))"
        guard let vault else { return pending }
        return "\(fragment: pending) and h.vault_id = \(vault)"
    }
}
