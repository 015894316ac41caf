import Synchronization

extension ConnectionPool {
    /// Runs a writing transaction, the only way there is to one.
    ///
    /// A lost race or connection is tried again while there is time. Of a COMMIT that nobody answered the effect tells, in
    /// time of its own: where it is there the value is returned, where it is not the body runs again. Who does not wait for
    /// locks comes back by itself.
    package func write<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        attempts: Int = 5,
        waitsForLocks: Bool = true,
        reached: (@Sendable (WritePoint) -> Void)? = nil,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Conclusion<Value>
    ) async throws(PostgresError) -> Value {
        var pause = Duration.milliseconds(20)
        var attempt = 1
        while true {
            reached?(.beforeConnection)
            let failure: PostgresError
            switch await ending(until: deadline, reached, body) {
            case .success(let value):
                reached?(.beforeAnswer)
                return value
            case .failure(let error): failure = error
            }
            guard attempt < attempts, failure.isWorthAnotherTry, waitsForLocks || failure.code != .lockTimeout,
                ContinuousClock.now + pause < deadline
            else { throw failure }
            attempt += 1
            // A cancelled sleep ends in the next attempt, which refuses to begin.
            do { try await ContinuousClock().sleep(for: pause) } catch { pause = .zero }
            pause *= 2
        }
    }

    private func ending<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ reached: (@Sendable (WritePoint) -> Void)?,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Conclusion<Value>
    ) async -> Result<Value, PostgresError> {
        // What proves the COMMIT, for the case that only the answer to it is missing.
        let proof = Mutex<CommitProof<Value>?>(nil)
        do throws(PostgresError) {
            let value = try await withConnection(until: deadline) { connection throws(PostgresError) in
                reached?(.beforeBegin)
                let value = try await connection.transaction(until: deadline) { transaction throws(PostgresError) in
                    switch try await body(transaction) {
                    case .unwritten(let value):
                        try await transaction.rollBack()
                        return value
                    case .written(let value, let effect):
                        proof.withLock { $0 = effect }
                        reached?(.beforeCommit)
                        return value
                    }
                }
                reached?(.afterCommit)
                return value
            }
            return .success(value)
        } catch {
            guard let commit = error.unknownCommit, let proof = proof.withLock({ $0 }) else { return .failure(error) }
            return switch await commit.resolve(proof, as: identity, at: target) {
            case .committed(let value): .success(value)
            case .undone: .failure(PostgresError(.rolledBack, sqlState: error.sqlState, at: target.description))
            case .unknown: .failure(error)
            }
        }
    }
}

extension PostgresError {
    /// True where the next attempt meets another situation: a race that was lost, a row that was deleted meanwhile, a
    /// connection that broke before anything was stored.
    fileprivate var isWorthAnotherTry: Bool {
        switch code {
        case .uniqueViolation, .foreignKeyViolation, .serializationFailure, .deadlock, .lockTimeout, .connectionLost,
            .serverRestarting, .connectionRefused, .tooManyConnections, .rolledBack:
            true
        default: false
        }
    }
}

/// A named moment around a writing transaction, where a test may end the process.
///
/// The statements travel together in one round trip, so there is no moment between them.
package enum WritePoint: String, Sendable, CaseIterable {
    case beforeConnection = "before_connection"
    case beforeBegin = "before_begin"
    /// All rows are written, and nothing is checked yet.
    case afterStatements = "after_statements"
    /// The next thing that is sent is COMMIT.
    case beforeCommit = "before_commit"
    case afterCommit = "after_commit"
    /// The connection is back in the pool, and the caller knows nothing yet.
    case beforeAnswer = "before_answer"
}
