import TestSupport
import VaultStore

extension DatabaseTemplate {
    /// The whole schema and no rows, made through the store's own connection.
    static let migrated = DatabaseTemplate("migrated") { url in
        let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url))
        _ = try await Migrator(connection, engineVersion: "test").migrate()
        await connection.close()
    }
}
