package import PostgresClient

extension ConnectionPool {
    private static var attempts: Int { 3 }

    /// Runs one reading transaction whose body may refuse for reasons of its own; a lost connection is replaced once.
    package func read<Value: Sendable>(
        _ mode: TransactionMode,
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Result<Value, VaultStoreError>
    ) async throws(VaultStoreError) -> Value {
        precondition(!mode.isWriting, "what writes says what proves it")
        var isFirst = true
        while true {
            let ending: Result<Value, VaultStoreError>
            do throws(PostgresError) {
                ending = try await withConnection(until: deadline) { connection throws(PostgresError) in
                    try await connection.transaction(mode, until: deadline, body)
                }
            } catch {
                let isLost = error.code == .connectionLost || error.code == .serverRestarting
                guard isFirst, isLost else { throw VaultStoreError(writing: error) }
                isFirst = false
                continue
            }
            return try ending.get()
        }
    }

    /// Runs one writing transaction whose body may refuse for reasons of its own, which rolls it back.
    package func change<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ body:
            @Sendable (PostgresTransaction) async throws(PostgresError) -> Conclusion<Result<Value, VaultStoreError>>
    ) async throws(VaultStoreError) -> Value {
        let ending: Result<Value, VaultStoreError>
        do throws(PostgresError) {
            ending = try await write(until: deadline, attempts: Self.attempts, body)
        } catch {
            throw VaultStoreError(writing: error)
        }
        return try ending.get()
    }
}

extension Conclusion {
    /// Nothing is written, for a reason.
    package static func refused<Moved>(_ error: VaultStoreError) -> Conclusion
    where Value == Result<Moved, VaultStoreError> {
        .unwritten(.failure(error))
    }

    /// Written, which a row of the look proves.
    package static func written<Moved>(_ moved: Moved, provenBy look: SQLQuery) -> Conclusion
    where Value == Result<Moved, VaultStoreError> {
        .written(.success(moved), CommitProof(of: .success(moved), look))
    }
}
