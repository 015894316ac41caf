import Synchronization

extension ConnectionPool {
    private static var attempts: Int { 3 }

    /// Runs one transaction whose body may refuse for reasons of its own, which rolls it back.
    ///
    /// A lost race is run again; of a COMMIT that broke, a new connection tells whether it happened.
    func move<Value: Sendable>(
        _ mode: TransactionMode = .readWrite,
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Result<Value, MovingError>
    ) async throws(MovingError) -> Value {
        var attempt = 1
        while true {
            let failure: PostgresError
            switch await result(mode, until: deadline, body) {
            case .success(let ending): return try ending.get()
            case .failure(let error): failure = error
            }
            guard attempt < Self.attempts, Self.isWorthAnotherTry(failure) else { throw MovingError(failure) }
            attempt += 1
        }
    }

    private func result<Value: Sendable>(
        _ mode: TransactionMode,
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Result<Value, MovingError>
    ) async -> Result<Result<Value, MovingError>, PostgresError> {
        // What the body came to, for the case that only the answer to COMMIT is missing.
        let reached = Mutex<Result<Value, MovingError>?>(nil)
        do throws(PostgresError) {
            let ending = try await withConnection(until: deadline) { connection throws(PostgresError) in
                try await connection.transaction(mode, until: deadline) { transaction throws(PostgresError) in
                    let ending = try await body(transaction)
                    if case .failure = ending { try await transaction.rollBack() }
                    reached.withLock { $0 = ending }
                    return ending
                }
            }
            return .success(ending)
        } catch {
            if let commit = error.unknownCommit, let ending = reached.withLock({ $0 }) {
                switch await CommitResolution.resolve(commit, at: target, until: deadline) {
                case .committed: return .success(ending)
                case .aborted: return .failure(PostgresError(.rolledBack, at: target.description))
                case .unknown: break
                }
            }
            return .failure(error)
        }
    }

    private static func isWorthAnotherTry(_ error: PostgresError) -> Bool {
        switch error.code {
        case .uniqueViolation, .serializationFailure, .deadlock, .foreignKeyViolation, .rolledBack: true
        default: false
        }
    }
}
