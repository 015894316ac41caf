extension PostgresConnection: MigrationSession {
    package func run(script: String) async throws(MigrationSessionError) {
        do throws(PostgresError) {
            try await runScript(script)
        } catch {
            throw MigrationSessionError(error)
        }
    }

    package func rows(_ statement: String, _ values: [String?]) async throws(MigrationSessionError) -> [[String?]] {
        do throws(PostgresError) {
            return try await textRows(statement, values)
        } catch {
            throw MigrationSessionError(error)
        }
    }
}

extension MigrationSessionError {
    /// Migrations hold no person's data, so the server's own words may be shown.
    init(_ error: PostgresError) {
        self.init(sqlState: error.sqlState, message: error.serverMessage?.exposed ?? error.description)
    }
}
