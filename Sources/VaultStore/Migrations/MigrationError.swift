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
        /// There is no migration of that number.
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
