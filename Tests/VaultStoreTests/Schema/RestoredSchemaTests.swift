import Foundation
import LocalPostgres
import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// A database that was dumped and restored, as operators do it.
@Suite("A restored database", .onOwnThreads, .tags(.database)) struct RestoredSchemaTests {
    /// All that a schema is made of, a line each; a dump leaves parentheses out.
    private static func parts(_ session: SchemaSession) async throws -> [String] {
        try await session.column(parts).map { $0.filter { $0 != "(" && $0 != ")" } }
    }

    private static let parts = """
        select 'trigger ' || c.relname || ' ' || g.tgname || ' ' || g.tgenabled::text || ' ' || pg_get_triggerdef(g.oid)
        from pg_trigger g join pg_class c on c.oid = g.tgrelid where not g.tgisinternal
        union all
        select 'rule ' || r.conrelid::regclass || ' ' || r.conname || ' ' || pg_get_constraintdef(r.oid)
        from pg_constraint r where r.connamespace in ('public'::regnamespace, 'knot'::regnamespace)
        union all
        select 'index ' || indexdef from pg_indexes where schemaname in ('public', 'knot')
        union all
        select 'policy ' || p.tablename || ' ' || p.policyname || ' ' || p.cmd || ' ' || p.roles::text
            || coalesce(p.qual, '') || coalesce(p.with_check, '')
        from pg_policies p
        union all
        select 'function ' || p.oid::regprocedure || ' ' || p.proowner::regrole || ' ' || coalesce(p.proacl::text, '')
            || md5(pg_get_functiondef(p.oid))
        from pg_proc p where p.pronamespace in ('public'::regnamespace, 'knot'::regnamespace, 'api'::regnamespace)
            and p.prokind = 'f' and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        order by 1
        """

    /// What a program of the server's own version says on its error output; nil where it did all of its work.
    private static func complaint(_ program: String, _ arguments: [String]) throws -> String? {
        let installation = try #require(ServerVersion.eighteen.installation)
        let process = Process()
        process.executableURL = URL(filePath: "\(installation.programs)/\(program)")
        process.arguments = arguments
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let words = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : String(decoding: words, as: UTF8.self)
    }

    @Test func `has every trigger, rule, index, policy and function of the one that was dumped`() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("dump")
        try await SchemaDatabase.with { database in
            let before = try await Self.parts(database.connect())
            #expect(try Self.complaint("pg_dump", ["-Fc", "-f", file, "-d", database.database.url]) == nil)
            try await SchemaDatabase.with(isMigrated: false) { empty in
                #expect(try Self.complaint("pg_restore", ["-d", empty.database.url, file]) == nil)
                let session = try empty.connect()
                let after = try await Self.parts(session)
                #expect(before.filter { !after.contains($0) } == [])
                #expect(after.filter { !before.contains($0) } == [])
                _ = try await Migrator(session, engineVersion: "test").status()
            }
        }
    }

    @Test func `that came without rights has them all by the statements that the state names`() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("dump")
        let rights = """
            select c.oid::regclass::text || ' ' || g.grantee::regrole || ' ' || g.privilege_type || ' ' || ''
            from pg_class c cross join aclexplode(c.relacl) g
            where c.relnamespace in ('public'::regnamespace, 'knot'::regnamespace) and c.relkind in ('r', 'S')
                and g.grantee <> c.relowner and g.grantee <> to_regrole('service_role')
            union all
            select a.attrelid::regclass::text || ' ' || g.grantee::regrole || ' ' || g.privilege_type || ' ' || a.attname
            from pg_attribute a cross join aclexplode(a.attacl) g where a.attrelid >= 16384
            union all
            select 'schema ' || n.nspname || ' ' || g.grantee::regrole || ' ' || g.privilege_type
            from pg_namespace n cross join aclexplode(n.nspacl) g
            where n.nspname in ('public', 'api', 'knot') and g.grantee <> n.nspowner
                and g.grantee <> to_regrole('service_role')
            order by 1
            """
        try await SchemaDatabase.with { database in
            let before = try await database.connect().column(rights)
            #expect(try Self.complaint("pg_dump", ["-Fc", "-x", "-f", file, "-d", database.database.url]) == nil)
            try await SchemaDatabase.with(isMigrated: false) { empty in
                #expect(try Self.complaint("pg_restore", ["-d", empty.database.url, file]) == nil)
                let session = try empty.connect()
                do throws(MigrationError) {
                    _ = try await Migrator(session, engineVersion: "test").status()
                    Issue.record("nothing was missed")
                } catch {
                    for difference in error.differences {
                        #expect(session.refusal(of: difference.statement) == nil, "\(difference.statement)")
                    }
                }
                _ = try await Migrator(session, engineVersion: "test").status()
                let after = try await session.column(rights)
                #expect(before.filter { !after.contains($0) } == [])
                #expect(after.filter { !before.contains($0) } == [])
                for login in ["knot_worker", "knot_person"] {
                    try await SchemaCheck.verify(empty.connect(as: login))
                }
            }
        }
    }

    @Test func `that came without owners is mended by an owner who is no superuser`() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("dump")
        try await SchemaDatabase.with { database in
            let original = try database.connect()
            // Names are written alike for both owners.
            try await original.run(script: "set search_path = ''")
            let before = try await Self.parts(original)
            #expect(try Self.complaint("pg_dump", ["-Fc", "-f", file, "-d", database.database.url]) == nil)
            try await SchemaDatabase.with(isMigrated: false) { empty in
                let admin = try empty.connect()
                let name = empty.database.name
                try await admin.run(
                    script: """
                        create role owner_\(name) login createrole;
                        alter database \(name) owner to owner_\(name);
                        alter schema public owner to owner_\(name);
                        create extension vector;
                        grant knot_queue to owner_\(name) with admin option, inherit false, set false;
                        """
                )
                // It may not comment on the extension, and says so.
                let url = empty.database.url(user: "owner_\(name)")
                _ = try Self.complaint("pg_restore", ["--no-owner", "-d", url, file])
                let session = try empty.connect(as: "owner_\(name)")
                do throws(MigrationError) {
                    _ = try await Migrator(session, engineVersion: "test").status()
                    Issue.record("nothing was missed")
                } catch {
                    #expect(error.differences.contains { $0.place.hasPrefix("owner of knot.forget_readings") })
                    for difference in error.differences {
                        #expect(session.refusal(of: difference.statement) == nil, "\(difference.statement)")
                    }
                }
                let rest = await Self.rest(session)
                #expect(rest == nil, "\(rest?.differences ?? [])")
                let functions = before.filter { $0.hasPrefix("function ") && $0.contains(" knot_queue ") }
                try await session.run(script: "set search_path = ''")
                let after = try await Self.parts(session)
                #expect(functions.count > 20 && functions.filter { !after.contains($0) } == [])
                #expect(try await session.value("select pg_has_role('knot_queue', 'usage')") == "f")
                try await admin.run(
                    script:
                        "drop owned by owner_\(name) cascade; alter database \(name) owner to knot; drop role owner_\(name)"
                )
            }
        }
    }

    private static func rest(_ session: SchemaSession) async -> MigrationError? {
        do throws(MigrationError) {
            _ = try await Migrator(session, engineVersion: "test").status()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `could be made of what each trigger says of itself where no schema is searched`(
        on server: ServerVersion
    ) async throws {
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            try await session.run(script: "set search_path = ''")
            let triggers = try await session.rows(
                """
                select pg_get_triggerdef(g.oid), format('drop trigger %I on %s', g.tgname, g.tgrelid::regclass)
                from pg_trigger g where not g.tgisinternal
                """
            )
            #expect(triggers.count > 20)
            for row in triggers {
                let (making, dropping) = (try #require(row[0]), try #require(row[1]))
                #expect(session.refusal(of: "\(dropping); \(making)") == nil, "\(making)")
            }
        }
    }

    /// As a database that was restored before its triggers could be.
    @Test func `that lost triggers has them again by the migration that mends them`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let migrator = Migrator(session, engineVersion: "test")
            _ = try await migrator.migrate(to: 45)
            let triggers = "select tgname || tgenabled::text from pg_trigger where not tgisinternal order by 1"
            let before = try await session.column(triggers)
            try await session.run(
                script: """
                    drop trigger hints_forget_embedding on public.hints;
                    drop trigger catalogue_items_forget_embedding on public.catalogue_items;
                    drop trigger catalogue_items_number_update on public.catalogue_items;
                    """
            )
            _ = try await migrator.migrate(to: 47)
            #expect(try await session.column(triggers) == before)
        }
    }
}
