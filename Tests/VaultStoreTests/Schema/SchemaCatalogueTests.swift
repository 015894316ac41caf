import PostgresClient
import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// The server's own catalogue, held against the schema that production has.
@Suite(.tags(.database)) struct SchemaCatalogueTests {
    /// The eleven tables that the first twelve migrations make.
    static let tables = [
        "hints", "notification_queue", "partner_budgets", "partner_interests", "partner_love_languages",
        "partner_milestones", "partner_vaults", "partner_vibes", "recommendation_feedback", "recommendations", "users",
    ]

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }

    /// What stands in one list and not in the other, told apart.
    private static func differences(_ found: [String], _ expected: [String]) -> [String] {
        found.filter { !expected.contains($0) }.map { "+ \($0)" }
            + expected.filter { !found.contains($0) }.map { "- \($0)" }
    }

    private static func withProduction(
        _ server: ServerVersion,
        _ body: (CatalogueReader) async throws -> Void
    ) async throws {
        try await SchemaDatabase.with(server, isMigrated: false) { database in
            let session = try database.connect()
            _ = try await Migrator(session, engineVersion: "test").migrate(to: Migrations.productionCount)
            try await body(CatalogueReader(session: session))
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `the first twelve make exactly production's schema`(on server: ServerVersion) async throws {
        try await Self.withProduction(server) { catalogue in
            let pairs = [
                (try await catalogue.columns(), ProductionCatalogue.columns),
                (try await catalogue.constraints(), ProductionCatalogue.constraints),
                (try await catalogue.triggers(), ProductionCatalogue.triggers),
                (try await catalogue.indexes(), ProductionCatalogue.indexes),
            ]
            for (found, expected) in pairs { #expect(Self.differences(found, Self.lines(expected)) == []) }
        }
    }

    @Test func `what came later takes away only what production took away`() async throws {
        try await SchemaDatabase.with { database in
            let catalogue = CatalogueReader(session: try database.connect())
            func lost(_ found: [String], _ expected: String) -> [String] {
                Self.lines(expected).filter { !found.contains($0) }.map { String($0.prefix(45)) }
            }
            #expect(lost(try await catalogue.columns(), ProductionCatalogue.columns) == [])
            #expect(lost(try await catalogue.triggers(), ProductionCatalogue.triggers) == [])
            #expect(lost(try await catalogue.indexes(), ProductionCatalogue.indexes) == [])
            #expect(
                lost(try await catalogue.constraints(), ProductionCatalogue.constraints) == [
                    "partner_interests CHECK ((interest_category =",
                    "recommendation_feedback CHECK ((action = ANY ",
                ]
            )
            let columns = try await catalogue.columns()
            for line in [
                "users.device_token text", "users.device_platform text", "users.timezone text",
                "users.quiet_hours_start integer not null default 22",
                "users.quiet_hours_end integer not null default 8",
                "users.notifications_enabled boolean not null default true",
                "notification_queue.viewed_at timestamp with time zone",
            ] {
                #expect(columns.contains(line))
            }
        }
    }

    @Test func `every table has row security and its four policies by owner`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            let secured = try await session.column(
                "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' "
                    + "and not relrowsecurity"
            )
            #expect(secured == [], "a new table needs \"enable row level security\"")
            let found = try await session.rows(
                """
                select tablename, cmd, qual, with_check from pg_policies
                where schemaname = 'public' and roles = '{public}' and permissive = 'PERMISSIVE'
                """
            )
            for table in Self.tables {
                let rule = Self.rule(of: table)
                for (verb, hasUsing, hasCheck) in [
                    ("SELECT", true, false), ("INSERT", false, true), ("UPDATE", true, true), ("DELETE", true, false),
                ] {
                    let matching = found.filter { $0[0] == table && $0[1] == verb }
                    #expect(matching.count == 1, "\(table) \(verb)")
                    let squeezed = matching.first?.dropFirst(2).map { Self.squeeze($0) } ?? []
                    #expect(squeezed == [hasUsing ? rule : nil, hasCheck ? rule : nil], "\(table) \(verb)")
                }
            }
        }
    }

    private static func rule(of table: String) -> String {
        switch table {
        case "users": "(auth.uid()=id)"
        case "partner_vaults": "(auth.uid()=user_id)"
        case "recommendation_feedback", "notification_queue": "(user_id=auth.uid())"
        default:
            "(EXISTS(SELECT1FROMpartner_vaultsvWHERE((v.id=\(table).vault_id)AND(v.user_id=auth.uid()))))"
        }
    }

    private static func squeeze(_ text: String?) -> String? { text.map { String($0.filter { !$0.isWhitespace }) } }

    @Test(arguments: [false, true])
    func `a person has full rights and nobody known may only look`(withOpenDefaults: Bool) async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            if withOpenDefaults {
                // As Supabase has it: what is made in public is everybody's until it is taken back.
                try await session.run(script: Migrations.bootstrap.sql)
                try await session.run(
                    script: "alter default privileges in schema public grant all on tables to anon, authenticated"
                )
            }
            _ = try await Migrator(session, engineVersion: "test").migrate()
            let rights = try await session.rows(
                """
                select c.relname, g.grantee::regrole::text, string_agg(lower(g.privilege_type), ',' order by 1)
                from pg_class c cross join aclexplode(c.relacl) g
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
                    and g.grantee in (0, 'anon'::regrole, 'authenticated'::regrole)
                group by 1, 2
                """
            )
            let found = Dictionary(
                uniqueKeysWithValues: rights.map {
                    ("\($0[0] ?? "") \($0[1] ?? "")", ($0[2] ?? "").split(separator: ",").sorted())
                }
            )
            for table in Self.tables {
                #expect(found["\(table) authenticated"] == ["delete", "insert", "select", "update"])
                #expect(found["\(table) anon"] == ["select"])
                #expect(found["\(table) -"] == nil)
            }
            let ours = found.filter { right in !Self.tables.contains { right.key.hasPrefix("\($0) ") } }
            let open =
                "a migration revokes all of a new table from public, anon and authenticated, and grants what is needed"
            #expect(ours.keys.filter { !$0.hasSuffix(" authenticated") } == [], "\(open)")
            #expect(ours.filter { $0.value != ["select"] }.isEmpty, "\(open)")
        }
    }

    @Test func `the worker sees no e-mail, no device token and no claim of anybody's`() async throws {
        try await SchemaDatabase.with { database in
            let worker = try database.connect(as: "knot_worker")
            for column in ["email", "device_token", "device_platform", "created_at", "*"] {
                #expect(worker.refusal(of: "select \(column) from public.users")?.state == "42501")
            }
            #expect(worker.refusal(of: "select id, timezone from public.users") == nil)
            #expect(worker.refusal(of: "create table public.mine ()")?.state == "42501")
            #expect(worker.refusal(of: "set role authenticated")?.state == "42501")
            #expect(worker.refusal(of: "set role knot_queue")?.state == "42501")
        }
    }

    /// On a server of its own: the template that the other tests share raises the worker's limit there.
    @Test(arguments: ServerVersion.serving)
    func `the roles may open so many connections`(on version: ServerVersion) async throws {
        try await TestServer.withOwn(version) { server in
            try await withDatabase(on: server) { database in
                let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: database.url))
                _ = try await Migrator(connection.forMigrations(until: LastResort.end), engineVersion: "test")
                    .migrate()
                let rows = try await connection.run(
                    """
                    select rolname || ' ' || rolconnlimit as found
                    from pg_catalog.pg_roles where rolname like 'knot\\_%' order by rolname
                    """
                )
                let found = try rows.map { row throws(PostgresError) in try row.decode("found", as: String.self) }
                await connection.close()
                #expect(found == ["knot_person 24", "knot_queue -1", "knot_worker 80"])
            }
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `the roles have their limits and nothing more`(on server: ServerVersion) async throws {
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            let found = try await session.column(
                """
                select concat_ws(' ', rolname, rolcanlogin, rolinherit, rolsuper, rolbypassrls, rolcreaterole,
                    rolcreatedb)
                from pg_roles where rolname like 'knot\\_%' order by rolname
                """
            )
            #expect(
                found == [
                    "knot_person t f f f f f", "knot_queue f f f f f f", "knot_worker t f f f f f",
                ]
            )
            let worker = try database.connect(as: "knot_worker")
            for (name, value) in [
                ("statement_timeout", "15s"), ("lock_timeout", "2s"), ("idle_in_transaction_session_timeout", "10s"),
                ("search_path", "\"\""),
            ] {
                #expect(try await worker.value("show \(name)") == value)
            }
            let transactionTimeout = server == .sixteen ? nil : "30s"
            #expect(try await worker.value("select current_setting('transaction_timeout', true)") == transactionTimeout)
            let owned = try await session.value(
                "select count(*) from pg_class where relowner::regrole::text like 'knot\\_%'"
            )
            #expect(owned == "0")
        }
    }
}
