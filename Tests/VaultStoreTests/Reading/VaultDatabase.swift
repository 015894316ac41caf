import Fixtures
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

/// A database with one judged vault, and pools of connections to it.
enum VaultDatabase {
    static func pool(
        _ database: TestDatabase,
        user: String = "knot_worker",
        as identity: ActingIdentity = .connection
    ) throws -> ConnectionPool {
        ConnectionPool(to: try ConnectionTarget(url: database.url(user: user)), PoolSettings(limit: 4), as: identity)
    }

    /// One judged vault in a database of its own, and a source that reads it as the worker.
    static func withVault(
        _ version: ServerVersion = .eighteen,
        _ body: (TestDatabase, Fixture, PostgresVaultSource) async throws -> Void
    ) async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        try await withDatabase(version, .migrated) { database in
            try await database.run(StoredFixture(fixture).sql)
            try await body(database, fixture, PostgresVaultSource(pool(database)))
        }
    }

    /// How reading the vault fails; nil when it does not.
    static func failure(_ source: PostgresVaultSource, _ id: VaultID) async -> VaultStoreError? {
        do throws(VaultStoreError) {
            _ = try await source.load(id)
            return nil
        } catch {
            return error
        }
    }
}
