package import Recommendation

/// Stores sets, each exactly once: one transaction, one round trip before its COMMIT.
package struct ChoiceStore: Sendable {
    private static let attempts = 5

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
    /// After a broken COMMIT the database is asked on a new connection, so the answer is never a guess. What the run
    /// learned on its way, such as embeddings of hints, goes into the same transaction.
    package func store(
        _ record: SetRecord,
        with more: [SQLQuery] = [],
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> StoredSet {
        var pause = Duration.milliseconds(20)
        var attempt = 1
        while true {
            let failure: PostgresError
            switch await write(record, with: more, until: deadline) {
            case .success(let ending):
                reached?(.beforeAnswer)
                return try ending.get()
            case .failure(let error): failure = error
            }
            if let set = try await resolve(failure, record, until: deadline) { return set }
            guard attempt < Self.attempts, ContinuousClock.now + pause < deadline else {
                throw ChoiceStoreError(failure)
            }
            attempt += 1
            // A cancelled sleep ends in the next attempt, which refuses to begin.
            do { try await ContinuousClock().sleep(for: pause) } catch { pause = .zero }
            pause *= 2
        }
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
