import PostgresClient
import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// Migrations against real servers.
@Suite(.onOwnThreads, .serialized, .tags(.database)) struct MigratorTests {
    private static func code(_ body: () async throws -> Void) async throws -> MigrationError.Code? {
        do { try await body() } catch let error as MigrationError { return error.code }
        return nil
    }

    private static let bootstrap = Migration(number: 0, name: "000_bootstrap", sql: "create schema if not exists auth;")

    private static let tiny = [
        Migration(number: 1, name: "001_one", sql: "create table public.one (id integer primary key);"),
        Migration(number: 2, name: "002_two", sql: "create table public.two (id integer primary key);"),
    ]

    @Test(arguments: ServerVersion.serving)
    func `applies all from nothing and has nothing to do the second time`(on server: ServerVersion) async throws {
        try await SchemaDatabase.with(server, isMigrated: false) { database in
            let session = try database.connect()
            let done = try await Migrator(session, engineVersion: "test").migrate()
            #expect(done.steps.map(\.migration) == [Migrations.bootstrap] + Migrations.all)
            #expect(try await Migrator(session, engineVersion: "test").migrate().isEmpty)
            let status = try await Migrator(session, engineVersion: "test").status()
            #expect(status.count == Migrations.all.count + 1 && !status.contains(where: \.isPending))
            try await SchemaCheck.verify(session)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `the store's own connection applies all and is left without a transaction`(
        on server: ServerVersion
    ) async throws {
        try await SchemaDatabase.with(server, isMigrated: false) { database in
            let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: database.database.url))
            let done = try await Migrator(connection.forMigrations(until: LastResort.end), engineVersion: "test")
                .migrate()
            #expect(done.steps.count == Migrations.all.count + 1 && connection.isUsable)
            try await SchemaCheck.verify(connection.forMigrations(until: LastResort.end))
            await connection.close()
        }
    }

    @Test func `stops at the number asked for and goes on from there`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let migrator = Migrator(session, engineVersion: "test")
            #expect(try await migrator.migrate(to: 3).target == 3)
            #expect(try await session.value("select to_regclass('public.partner_vaults')") != nil)
            #expect(try await session.value("select to_regclass('public.partner_interests')") == nil)
            #expect(try await Self.code { try await SchemaCheck.verify(session) } == .databaseOlder)
            #expect(try await Self.code { _ = try await migrator.migrate(to: 2) } == .goesBack)
            #expect(try await Self.code { _ = try await migrator.migrate(to: 99) } == .unknownNumber)
            #expect(try await migrator.migrate().steps.first?.migration.number == 4)
        }
    }

    @Test func `a dry run tells what it would apply and writes nothing`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let before = try await session.value("select count(*) from pg_class")
            let plan = try await Migrator(session, engineVersion: "test").migrate(dryRun: true)
            #expect(plan.steps.count == Migrations.all.count + 1)
            #expect(try await session.value("select count(*) from pg_class") == before)
            #expect(try await session.value("select to_regnamespace('knot')") == nil)
        }
    }

    @Test func `refuses a database whose applied file has changed and names the file`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let first = Migrator(session, migrations: Self.tiny, bootstrap: Self.bootstrap, engineVersion: "test")
            _ = try await first.migrate()
            let edited = [Migration(number: 1, name: "001_one", sql: "create table public.one ();"), Self.tiny[1]]
            let second = Migrator(session, migrations: edited, bootstrap: Self.bootstrap, engineVersion: "test")
            do throws(MigrationError) {
                _ = try await second.migrate()
                Issue.record("a changed file was accepted")
            } catch {
                #expect(error.code == .checksumChanged && error.what.contains("001_one.sql"))
            }
        }
    }

    @Test func `refuses a database that is newer than the binary`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let full = Migrator(session, migrations: Self.tiny, bootstrap: Self.bootstrap, engineVersion: "test")
            _ = try await full.migrate()
            let old = Migrator(session, migrations: [Self.tiny[0]], bootstrap: Self.bootstrap, engineVersion: "test")
            #expect(try await Self.code { _ = try await old.migrate() } == .databaseNewer)
            #expect(try await Self.code { _ = try await old.status() } == .databaseNewer)
            let verdict = try await Self.code {
                try await SchemaCheck.verify(session, migrations: [Self.tiny[0]], bootstrap: Self.bootstrap)
            }
            #expect(verdict == .databaseNewer)
        }
    }

    @Test func `refuses a history with a gap`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let migrator = Migrator(session, migrations: Self.tiny, bootstrap: Self.bootstrap, engineVersion: "test")
            _ = try await migrator.migrate()
            try await session.run(script: "delete from knot.knot_migrations where number = 1")
            #expect(try await Self.code { _ = try await migrator.migrate() } == .historyGap)
        }
    }

    @Test func `a file that fails leaves nothing of itself and keeps the ones before it`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let broken = [
                Self.tiny[0], Migration(number: 2, name: "002_two", sql: "create table public.two (); select 1 / 0;"),
            ]
            let migrator = Migrator(session, migrations: broken, bootstrap: Self.bootstrap, engineVersion: "test")
            #expect(try await Self.code { _ = try await migrator.migrate() } == .failed)
            #expect(try await session.value("select to_regclass('public.one')") != nil)
            #expect(try await session.value("select to_regclass('public.two')") == nil)
            #expect(try await session.value("select max(number) from knot.knot_migrations") == "1")
        }
    }

    @Test func `a file that a deadlock ends is applied again`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            // What a sequence has given stays given when its transaction ends.
            try await session.run(script: "create sequence public.tries")
            func files(_ deadlocks: Int) -> [Migration] {
                let sql = """
                    create table public.two (id integer);
                    do $$ begin
                        if nextval('public.tries') <= \(deadlocks) then
                            raise exception 'deadlock detected' using errcode = 'deadlock_detected';
                        end if;
                    end $$;
                    """
                return [Self.tiny[0], Migration(number: 2, name: "002_two", sql: sql)]
            }
            let hopeless = Migrator(session, migrations: files(99), bootstrap: Self.bootstrap, engineVersion: "test")
            #expect(try await Self.code { _ = try await hopeless.migrate() } == .failed)
            try await session.run(script: "alter sequence public.tries restart")
            let migrator = Migrator(session, migrations: files(3), bootstrap: Self.bootstrap, engineVersion: "test")
            #expect(try await migrator.migrate().steps.map(\.migration.number) == [2])
            #expect(try await session.value("select to_regclass('public.two')") != nil)
        }
    }

    @Test func `two migrators at once apply each file once`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let sessions = [try database.connect(), try database.connect()]
            let steps = try await withThrowingTaskGroup(of: [MigrationPlan.Step].self) { group in
                for session in sessions {
                    group.addTask { try await Migrator(session, engineVersion: "test").migrate().steps }
                }
                var all: [MigrationPlan.Step] = []
                for try await steps in group { all += steps }
                return all
            }
            #expect(steps.map(\.migration.number).sorted() == Array(0...Migrations.all.count))
            let rows = try await sessions[0].column("select number from knot.knot_migrations order by number")
            #expect(rows == (0...Migrations.all.count).map(String.init))
        }
    }

    @Test func `a role that owns nothing is told that it is not permitted`() async throws {
        try await SchemaDatabase.with { database in
            let owner = try database.connect()
            try await owner.run(script: "delete from knot.knot_migrations where number = \(Migrations.all.count)")
            let worker = try database.connect(as: "knot_worker")
            let migrator = Migrator(worker, engineVersion: "test")
            #expect(try await Self.code { _ = try await migrator.migrate() } == .notPermitted)
        }
    }

    @Test func `a worker may see whether the schema is its own`() async throws {
        try await SchemaDatabase.with { database in
            try await SchemaCheck.verify(try database.connect(as: "knot_worker"))
            try await SchemaCheck.verify(try database.connect(as: "knot_person"))
        }
    }

    @Test func `a read-only server is named as the reason`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            try await session.run(script: "set default_transaction_read_only = on")
            let code = try await Self.code { _ = try await Migrator(session, engineVersion: "test").migrate() }
            #expect(code == .readOnly)
        }
    }

    @Test func `production's own tables are adopted and not made again`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            _ = try await Migrator(session, engineVersion: "test").migrate(to: 13)
            try await session.run(script: "drop schema knot cascade")
            let plan = try await Migrator(session, engineVersion: "test").plan()
            #expect(plan.steps.prefix(12).allSatisfy { $0 == .adopt($0.migration) })
            #expect(plan.steps.dropFirst(12).allSatisfy { $0 == .apply($0.migration) })
            _ = try await Migrator(session, engineVersion: "test").migrate()
            try await SchemaCheck.verify(session)
            let adopted = try await session.value("select count(*) from knot.knot_migrations where is_adopted")
            #expect(adopted == "12")
        }
    }

    @Test func `half of production's tables without a history are refused`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            try await session.run(script: "create table public.users (id uuid primary key)")
            let code = try await Self.code { _ = try await Migrator(session, engineVersion: "test").migrate() }
            #expect(code == .foreignSchema)
        }
    }

    @Test func `an owner who is no superuser may migrate, with pgvector in a schema of its own`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let admin = try database.connect()
            let name = database.database.name
            try await admin.run(
                script: """
                    create role owner_\(name) login createrole;
                    alter database \(name) owner to owner_\(name);
                    create schema extensions;
                    grant usage on schema extensions to public;
                    create extension vector schema extensions;
                    """
            )
            // The roles of the whole server were made by another owner in this test run, who lets this one use them.
            try await admin.run(script: "grant knot_queue to owner_\(name) with admin option")
            let session = try database.connect(as: "owner_\(name)")
            _ = try await Migrator(session, engineVersion: "test").migrate()
            try await SchemaCheck.verify(session)
            let worker = try database.connect(as: "knot_worker")
            #expect(worker.refusal(of: "select * from api.claim_jobs(gen_random_uuid())") == nil)
            try await admin.run(
                script:
                    "drop owned by owner_\(name) cascade; alter database \(name) owner to knot; drop role owner_\(name)"
            )
        }
    }

    @Test func `without a superuser's pgvector an owner is told what to ask for`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let admin = try database.connect()
            let name = database.database.name
            try await admin.run(
                script: "create role owner_\(name) login createrole; alter database \(name) owner to owner_\(name)"
            )
            do throws(MigrationError) {
                _ = try await Migrator(try Self.session(database, "owner_\(name)"), engineVersion: "test").migrate()
                Issue.record("an extension was created without the right to")
            } catch {
                #expect(error.code == .notPermitted && error.todo.contains("create extension vector"))
            }
            try await admin.run(
                script:
                    "drop owned by owner_\(name) cascade; alter database \(name) owner to knot; drop role owner_\(name)"
            )
        }
    }

    private static func session(_ database: SchemaDatabase, _ user: String) throws(MigrationError) -> SchemaSession {
        do {
            return try database.connect(as: user)
        } catch {
            throw MigrationError(.unavailable, what: "\(error)", todo: "")
        }
    }
}
