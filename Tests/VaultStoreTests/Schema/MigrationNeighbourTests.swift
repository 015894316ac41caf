import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// Programs of different ages at one database, and owners who are no superusers.
@Suite(.onOwnThreads, .serialized, .tags(.database)) struct MigrationNeighbourTests {
    private static let bootstrap = Migration(number: 0, name: "000_bootstrap", sql: "create schema if not exists auth;")

    /// Three files; the third says from which number on a program works beside it.
    private static func files(_ worksFrom: Int?) -> [Migration] {
        ["one", "two", "three"].enumerated().map { place, name in
            Migration(
                number: place + 1,
                name: "00\(place + 1)_\(name)",
                sql: "create table public.\(name) (id integer primary key);",
                worksFrom: place == 2 ? worksFrom : nil
            )
        }
    }

    private static func migrator(_ session: SchemaSession, _ files: [Migration]) -> Migrator<SchemaSession> {
        Migrator(session, migrations: files, bootstrap: bootstrap, engineVersion: "test")
    }

    private static func verdict(_ session: SchemaSession, _ files: [Migration]) async -> MigrationError? {
        do throws(MigrationError) {
            try await SchemaCheck.verify(session, migrations: files, bootstrap: bootstrap)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a program works on while a newer one has only added to the schema`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let files = Self.files(2)
            _ = try await Self.migrator(session, files).migrate()
            let old = Array(files.prefix(2))
            #expect(await Self.verdict(session, old) == nil)
            #expect(try await Self.migrator(session, old).migrate().isEmpty)
            #expect(try await Self.migrator(session, old).status().count == 2 + 1)
            let older = await Self.verdict(session, Array(files.prefix(1)))
            #expect(older?.code == .databaseNewer && older?.todo.contains("migration 2") == true)
        }
    }

    @Test func `a program stops where the schema has changed under it, and says from which one on it goes`()
        async throws
    {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let files = Self.files(nil)
            _ = try await Self.migrator(session, files).migrate()
            let error = await Self.verdict(session, Array(files.prefix(2)))
            #expect(error?.code == .databaseNewer)
            #expect(error?.what.contains("003_three") == true && error?.todo.contains("migration 3") == true)
        }
    }

    @Test func `a history from before the column says that each file has to be known`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let files = Self.files(2)
            _ = try await Self.migrator(session, files).migrate()
            try await session.run(script: "alter table knot.knot_migrations drop column works_from")
            #expect(await Self.verdict(session, files) == nil)
            #expect(await Self.verdict(session, Array(files.prefix(2)))?.code == .databaseNewer)
        }
    }

    @Test func `an owner who may not act for the queue's role is told so before anything is done`() async throws {
        // Makes sure that the roles of the server are there.
        try await SchemaDatabase.with { _ in }
        try await SchemaDatabase.with(isMigrated: false) { database in
            let admin = try database.connect()
            let name = database.database.name
            try await admin.run(
                script: """
                    create role owner_\(name) login createrole;
                    alter database \(name) owner to owner_\(name);
                    create extension vector;
                    """
            )
            let session = try database.connect(as: "owner_\(name)")
            do throws(MigrationError) {
                _ = try await Migrator(session, engineVersion: "test").migrate()
                Issue.record("another owner's role was used")
            } catch {
                #expect(error.code == .notPermitted)
                #expect(error.todo.contains("grant knot_queue to owner_\(name) with admin option"), "\(error)")
            }
            #expect(try await session.value("select to_regnamespace('knot')") == nil)
            try await admin.run(script: "grant knot_queue to owner_\(name) with admin option")
            _ = try await Migrator(session, engineVersion: "test").migrate()
            try await SchemaCheck.verify(session)
            try await admin.run(
                script:
                    "drop owned by owner_\(name) cascade; alter database \(name) owner to knot; drop role owner_\(name)"
            )
        }
    }
}
