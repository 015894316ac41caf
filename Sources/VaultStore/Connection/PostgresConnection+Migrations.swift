extension PostgresConnection {
    /// This connection as migrations and the schema check use it: nothing they ask takes longer than they are given.
    package nonisolated func forMigrations(
        looksWithin look: Duration = .seconds(40),
        until deadline: ContinuousClock.Instant
    ) -> MigrationConnection {
        MigrationConnection(connection: self, look: look, deadline: deadline)
    }
}

/// A connection whose statements end in time: looks within one limit each, and everything by a deadline.
package struct MigrationConnection: MigrationSession {
    let connection: PostgresConnection
    let look: Duration
    let deadline: ContinuousClock.Instant

    package func run(script: String) async throws(MigrationSessionError) {
        do throws(PostgresError) {
            try await connection.runScript(script, until: deadline)
        } catch {
            throw MigrationSessionError(error)
        }
    }

    package func rows(_ statement: String, _ values: [String?]) async throws(MigrationSessionError) -> [[String?]] {
        do throws(PostgresError) {
            return try await connection.textRows(statement, values, until: min(deadline, .now + look))
        } catch {
            throw MigrationSessionError(error)
        }
    }
}

extension MigrationSessionError {
    /// Migrations hold no person's data, so the server's own words may be shown.
    init(_ error: PostgresError) {
        let isLate = error.code == .statementTimeout
        self.init(
            sqlState: isLate ? "57014" : error.sqlState,
            message: isLate ? error.what : error.serverMessage?.exposed ?? error.description
        )
    }
}
