package import Recommendation

/// Stores sets, each exactly once: one transaction, one round trip before its COMMIT.
package struct ChoiceStore: Sendable {
    let pool: ConnectionPool
    /// Nil in production: a test's way to be told of every moment of the write.
    let reached: (@Sendable (WritePoint) -> Void)?

    package init(
        _ pool: ConnectionPool,
        reached: (@Sendable (WritePoint) -> Void)? = nil
    ) {
        self.pool = pool
        self.reached = reached
    }

    /// Stores a set, or returns the one that its identity has already.
    ///
    /// After a broken COMMIT a new connection looks for the set itself, so the answer is never a guess. What the run
    /// learned on its way, such as embeddings of hints, goes into the same transaction.
    package func store(
        _ record: SetRecord,
        with more: [SQLQuery] = [],
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> StoredSet {
        let ending: Ending
        do throws(PostgresError) {
            ending = try await pool.write(until: deadline, reached: reached) {
                transaction throws(PostgresError) in
                try await write(record, with: more, in: transaction)
            }
        } catch {
            throw ChoiceStoreError(error)
        }
        return try ending.get()
    }

    /// The set that an identity has, if any: asked before a run, it saves the run.
    package func stored(
        _ identity: RunIdentity,
        pipelineHash: String? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> StoredSet? {
        do throws(PostgresError) {
            return try await lookup(identity, isNew: false, pipelineHash: pipelineHash, until: deadline)
        } catch {
            throw ChoiceStoreError(error)
        }
    }
}
