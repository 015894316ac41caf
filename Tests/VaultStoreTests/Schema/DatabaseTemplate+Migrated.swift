import Migrations
import PostgresClient
import TestSupport
import VaultStore

extension DatabaseTemplate {
    /// The whole schema and no rows, made through the store's own connection.
    static let migrated = DatabaseTemplate("migrated") { url in
        let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url))
        _ = try await Migrator(connection.forMigrations(until: LastResort.end), engineVersion: "test").migrate()
        if let mutant = SchemaMutant.asked { try await connection.runScript(mutant.sql) }
        await connection.close()
    }
}
