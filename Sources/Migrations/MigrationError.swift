import FileInput
import PostgresClient

/// Why a database's schema cannot be changed or used.
package struct MigrationError: Error, Hashable, CustomStringConvertible {
    package enum Code: String, CaseIterable, Sendable {
        /// Older than PostgreSQL 16.
        case serverTooOld = "server_too_old"
        /// The server does not offer pgvector.
        case extensionMissing = "no_pgvector"
        /// pgvector is there and older than 0.7.
        case extensionTooOld = "pgvector_too_old"
        /// An applied file has changed since.
        case checksumChanged = "migration_changed"
        /// The history lacks a number below its highest one.
        case historyGap = "migration_gap"
        /// The database has migrations that this binary does not know.
        case databaseNewer = "schema_newer"
        /// The database lacks migrations that this binary needs.
        case databaseOlder = "schema_older"
        /// Tables of ours are there, but not as any history of ours would have made them.
        case foreignSchema = "schema_foreign"
        case unknownNumber = "migration_unknown"
        /// The number lies below what is applied.
        case goesBack = "migration_goes_back"
        case notPermitted = "not_permitted"
        case readOnly = "read_only"
        /// A statement of a migration failed; nothing of that file is left behind.
        case failed = "migration_failed"
        /// The server was lost or cannot answer now.
        case unavailable = "database_unavailable"
    }

    package let code: Code
    /// What is wrong, as one sentence without its full stop.
    package let what: String
    package let todo: String
    package let sqlState: String?
    /// Of a foreign schema: everything in which it is another.
    package let differences: [SchemaDifference]

    package init(
        _ code: Code,
        what: String,
        todo: String,
        sqlState: String? = nil,
        differences: [SchemaDifference] = []
    ) {
        self.code = code
        self.what = what
        self.todo = todo
        self.sqlState = sqlState
        self.differences = differences
    }

    package var description: String { "\(what): \(todo)" }
}

extension MigrationError {
    /// Classes what a session met while it did something, such as `applying 003_partner_vaults.sql`.
    init(_ error: MigrationSessionError, while doing: String) {
        let state = error.sqlState
        let what = "\(doing): \(error.message)"
        switch state {
        case nil, "53300", "57P01", "57P02", "57P03":
            self.init(.unavailable, what: what, todo: "see whether the server is up, then try again", sqlState: state)
        case let state? where state.hasPrefix("08"):
            self.init(.unavailable, what: what, todo: "see whether the server is up, then try again", sqlState: state)
        case "25006":
            self.init(.readOnly, what: what, todo: "connect to the primary server", sqlState: state)
        case "42501" where error.message.contains("extension \"vector\""):
            // pgvector is not a trusted extension: the owner of a database may not create it.
            let todo = "have a superuser run in this database: create extension vector"
            self.init(.notPermitted, what: what, todo: todo, sqlState: state)
        case "42501" where error.message.contains("permission denied to grant role"):
            let role = error.message.split(separator: "\"").dropFirst().first.map(String.init) ?? "it"
            let todo = "have a superuser grant \(role) to the role that migrates, with admin option"
            self.init(.notPermitted, what: what, todo: todo, sqlState: state)
        case "42501" where doing.hasPrefix("reading "):
            // Whoever only works with the schema is no owner, and should not become one.
            let todo = "have its owner run: grant knot_worker to this role; migrate connects as the owner itself"
            self.init(.notPermitted, what: what, todo: todo, sqlState: state)
        case "42501":
            self.init(.notPermitted, what: what, todo: "connect as the owner of the database", sqlState: state)
        case "57014", "55P03":
            let todo =
                "try again when nobody holds it, or allow more time: also statement_timeout and lock_timeout of the role "
                + "and the database count"
            self.init(.failed, what: what, todo: todo, sqlState: state)
        default:
            self.init(
                .failed,
                what: what,
                todo: "nothing of it was kept; repair the cause and try again",
                sqlState: state
            )
        }
    }
}

/// What migrations need of a connection: scripts as they stand, and a few rows as text.
package protocol MigrationSession: Sendable {
    /// Runs the statements of a script one after another and throws the first failure.
    func run(script: String) async throws(MigrationSessionError)

    /// Rows of one statement as text, with `$1` and so on as its values.
    func rows(_ statement: String, _ values: [String?]) async throws(MigrationSessionError) -> [[String?]]
}

/// What a server or the way to it answered instead of a result.
package struct MigrationSessionError: Error, Hashable {
    /// Nil when the server was not reached or did not answer.
    package let sqlState: String?
    package let message: String
}

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
            message: isLate ? error.what : error.serverMessage?.exposed ?? error.advice
        )
    }
}
