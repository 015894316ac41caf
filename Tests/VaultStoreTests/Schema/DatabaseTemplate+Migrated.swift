import Migrations
import PostgresClient
import TestSupport
import VaultStore

extension DatabaseTemplate {
    /// The whole schema and no rows, made through the store's own connection.
    static let migrated = DatabaseTemplate("migrated") { url in
        let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url))
        _ = try await Migrator(connection.forMigrations(until: LastResort.end), engineVersion: "test").migrate()
        // A role belongs to the whole server, and all tests share one: what is enough for one database is not for theirs.
        try await connection.runScript("alter role knot_worker connection limit 400")
        if let mutant = SchemaMutant.asked { try await connection.runScript(mutant.sql) }
        await connection.close()
    }
}
