import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// What the names in a function's body mean must not be for its caller to decide.
@Suite(.tags(.database)) struct FunctionPathTests {
    /// Functions of ours; what an extension brought along, such as pgvector's, is its own.
    private static let ours = """
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('api', 'knot', 'public') and not exists (
            select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
        )
        """

    @Test(arguments: ServerVersion.serving)
    func `every function has the catalogue first and temporary names last`(on server: ServerVersion) async throws {
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            // A body in the standard's own form was parsed when it was made, and looks nothing up later.
            let found = try await session.rows(
                "select p.oid::regprocedure::text, array_to_string(p.proconfig, ';') \(Self.ours) and p.prosqlbody is null"
            )
            #expect(found.count > 20)
            #expect(found.filter { $0[1] != "search_path=pg_catalog, pg_temp" } == [])
            let parsed = try await session.column(
                "select p.oid::regprocedure::text \(Self.ours) and p.prosqlbody is not null"
            )
            #expect(parsed == ["match_hints(vector,uuid,double precision,integer)"])
        }
    }

    /// As an attacker with the worker's password would: a type that runs what it likes as whoever declares a variable.
    @Test(arguments: ServerVersion.serving, ["uuid", "integer", "text", "boolean", "timestamptz", "date", "jsonb"])
    func `a type of the caller's own is not run as the function's owner`(
        on server: ServerVersion,
        type: String
    ) async throws {
        try await SchemaDatabase.with(server) { database in
            let owner = try database.connect()
            try await owner.run(script: SchemaSeed.script(people: 1...1))
            try await owner.run(
                script: "grant temporary on database \(database.database.name) to knot_worker, authenticated"
            )
            let trap = """
                create function pg_temp.trap() returns boolean language plpgsql as $$
                begin
                    raise exception 'run as %', current_user using errcode = 'XX999';
                end
                $$;
                create domain pg_temp."\(Self.name(type))" as pg_catalog.\(Self.name(type)) check (pg_temp.trap());
                """
            let worker = try database.connect(as: "knot_worker")
            try await worker.run(script: trap)
            let milestone = SchemaSeed.id(3, of: 1)
            for call in [
                "api.enqueue('{\(milestone)}', '{2027-05-06}', '{7}', '{2027-04-29 10:00Z}')",
                "api.claim_jobs('\(milestone)')", "api.release('\(milestone)')", "api.rescue()",
                "api.complete('\(milestone)', '\(milestone)')",
                "api.fail('\(milestone)', '\(milestone)', 'stage', 'x')", "api.cancel('\(milestone)')",
                "api.settle_notification('\(SchemaSeed.id(5, of: 1))', 'sent')",
            ] {
                #expect(worker.refusal(of: "select * from \(call)") == nil, "\(type): \(call)")
            }
            // A person's own claims are read by the same name in every policy.
            try await owner.run(script: trap.replacing("create function", with: "create or replace function"))
            let claims = "{\"sub\": \"\(SchemaSeed.id(SchemaSeed.userKind, of: 1))\"}"
            try await owner.run(
                script: "set role authenticated; select set_config('request.jwt.claims', '\(claims)', false)"
            )
            #expect(try await owner.value("select count(*) from public.hints") == "1")
        }
    }

    /// As the catalogue has it.
    private static func name(_ type: String) -> String {
        ["integer": "int4", "boolean": "bool"][type] ?? type
    }

    @Test func `nobody but the owner makes temporary things`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            _ = try await Migrator(session, engineVersion: "test").migrate()
            for role in ["anon", "authenticated", "knot_worker", "knot_person", "knot_queue"] {
                let may = "select has_database_privilege('\(role)', current_database(), 'temporary')"
                #expect(try await session.value(may) == "f", "\(role)")
            }
            let worker = try database.connect(as: "knot_worker")
            #expect(worker.refusal(of: "create temporary table mine ()")?.state == "42501")
        }
    }
}
