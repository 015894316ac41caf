import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

/// A database with everything that moves vaults.
struct ImportedWorld {
    static var limit: ContinuousClock.Instant { LastResort.end }
    static let stems = (1...28).map { "dev-" + ($0 < 10 ? "0\($0)" : "\($0)") }

    let database: TestDatabase
    let pool: ConnectionPool
    var importer: VaultImporter { VaultImporter(pool) }
    let now = Instant(millisecondsSinceEpoch: 1_780_000_000_000)
    var exporter: VaultExporter { VaultExporter(pool) }

    static func with(
        _ version: ServerVersion = .eighteen,
        limit: Int = 4,
        _ body: (ImportedWorld) async throws -> Void
    ) async throws {
        try await withDatabase(version, .migrated) { database in
            let pool = try ConnectionPool(to: ConnectionTarget(url: database.url), PoolSettings(limit: limit))
            try await body(ImportedWorld(database: database, pool: pool))
            await pool.close()
        }
    }

    /// A pool of the same role under a person's rights.
    func pool(as user: UserID) throws -> ConnectionPool {
        ConnectionPool(to: pool.target, PoolSettings(limit: 1), as: .person(user))
    }

    static func bytes(_ stem: String) throws -> [UInt8] { try FixtureLoader.bytes(StoredWorld.path(stem)) }

    static func value(_ stem: String) throws -> JSONValue { try JSONParser.parse(try bytes(stem)) }

    static func id(_ document: FixtureDocument) throws -> PostgresUUID {
        try #require(PostgresUUID(document.vault.id.text))
    }

    func count(_ query: String) async throws -> Int {
        Int(try await database.run("select count(*) from \(query)")[0][0] ?? "") ?? -1
    }

    /// Imports a document and brings it out again.
    func roundTrip(_ value: JSONValue) async throws -> JSONValue {
        let document = try FixtureDocument(parsing: JSONWriter.bytes(value))
        _ = try await importer.add(document, replaces: true, until: Self.limit)
        return try await exporter.fixture(Self.id(document), until: Self.limit)
    }

    /// What was thrown.
    static func refusal<Value>(_ work: () async throws(VaultStoreError) -> Value) async -> VaultStoreError? {
        do throws(VaultStoreError) {
            _ = try await work()
            return nil
        } catch {
            return error
        }
    }
}

/// Changes one place in a document: `["vault", "hints", 0, "text"]`.
extension JSONValue {
    func setting(_ value: JSONValue?, at path: ArraySlice<String>) -> JSONValue {
        guard let first = path.first else { return value ?? .null }
        if var items = array, let place = Int(first) {
            items[place] = items[place].setting(value, at: path.dropFirst())
            return .array(items)
        }
        var object = self.object ?? JSONObject()
        object[first] = path.count == 1 ? value : (object[first] ?? .null).setting(value, at: path.dropFirst())
        return .object(object)
    }

    func setting(_ value: JSONValue?, at path: String) -> JSONValue {
        setting(value, at: path.split(separator: ".").map(String.init)[...])
    }

    var canonical: String { JSONWriter.text(self, style: .canonical) }
}
