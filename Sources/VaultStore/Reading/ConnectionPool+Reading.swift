extension ConnectionPool {
    /// Runs reading statements in one round trip and at one moment.
    ///
    /// A connection that broke while it lay idle is replaced once: reading twice changes nothing.
    func read(
        _ queries: [SQLQuery],
        after preparations: [SQLQuery] = [],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [Rows] {
        do throws(PostgresError) {
            return try await attempt(queries, after: preparations, until: deadline)
        } catch {
            guard error.code == .connectionLost || error.code == .serverRestarting else { throw error }
            return try await attempt(queries, after: preparations, until: deadline)
        }
    }

    private func attempt(
        _ queries: [SQLQuery],
        after preparations: [SQLQuery],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [Rows] {
        try await withConnection(until: deadline) { connection throws(PostgresError) in
            try await connection.snapshot(queries, after: preparations, until: deadline)
        }
    }
}
