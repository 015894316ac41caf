import LocalPostgres
import TestSupport

@testable import VaultStore

/// A database of a schema test's own.
struct SchemaDatabase: Sendable {
    let database: TestDatabase

    /// Makes an empty database, or one that is migrated already, for the time of the body.
    static func with<Value: Sendable>(
        _ version: ServerVersion = .eighteen,
        isMigrated: Bool = true,
        _ body: (SchemaDatabase) async throws -> Value
    ) async throws -> Value {
        try await withDatabase(version, isMigrated ? .migrated : .empty) { database in
            try await body(SchemaDatabase(database: database))
        }
    }

    func connect(as user: String = RunningServer.user) throws -> SchemaSession {
        try SchemaSession(database.url(user: user))
    }
}
