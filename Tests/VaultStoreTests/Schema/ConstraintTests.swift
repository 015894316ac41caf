import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

/// Every rule of the schema is broken once and answers with its SQLSTATE.
@Suite(.onOwnThreads, .tags(.database)) struct ConstraintTests {
    /// Keys that cannot be broken before another one is: the identity decides the id, and the id is unique alone.
    private static let implied: Set<String> = [
        "recommendation_runs_id_vault_id_key", "recommendation_runs_identity_key",
    ]

    private static func withSeed(_ body: (SchemaSession) async throws -> Void) async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...1))
            let digest = String(repeating: "ab", count: 32)
            try await session.run(
                script: "insert into public.provider_responses (provider, request_digest, status, body, expires_at) "
                    + "values ('yelp', decode('\(digest)', 'hex'), 200, '', now() + interval '1 hour')"
            )
            try await session.run(
                script: "insert into public.catalogue_withdrawn (source, candidate_id) values ('shop', 'gone')"
            )
            try await body(session)
        }
    }

    @Test func `every check and every key refuses what breaks it`() async throws {
        try await Self.withSeed { session in
            for violation in ConstraintViolation.checks + ConstraintViolation.moments + ConstraintViolation.keys {
                let refusal = session.refusal(of: violation.statement)
                #expect(refusal == .init(state: violation.state, name: violation.name), "\(violation.name)")
            }
        }
    }

    @Test func `no check and no key is forgotten`() async throws {
        try await SchemaDatabase.with { database in
            let found = try await database.connect().column(
                "select conname from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'u', 'p')"
            )
            let broken =
                (ConstraintViolation.checks + ConstraintViolation.moments + ConstraintViolation.keys).map(\.name)
            let forgotten = Set(found).subtracting(Self.implied).subtracting(broken)
            #expect(forgotten.isEmpty, "ConstraintViolation has nothing that breaks \(forgotten.sorted())")
            let gone = Set(broken).subtracting(found)
            #expect(gone.isEmpty, "the schema has no \(gone.sorted()), which ConstraintViolation breaks")
            #expect(Set(broken).count == broken.count)
        }
    }

    /// What the program takes for a provider's name, the table takes, and nothing else.
    @Test(arguments: ServerVersion.serving)
    func `the name of an item's provider is what the program takes for one`(on server: ServerVersion) async throws {
        let names = [
            "a", "shop", "shelf-2", "my_shop", "0", "-", "_", String(repeating: "z", count: 64), "",
            String(repeating: "z", count: 65), "Shop", "my shop", "shop.com", "shop\n", "\nshop", "b\u{FC}cher",
            "\u{FF41}",
            "shop'", "\u{131}",
        ]
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...1))
            for name in names {
                let text = name.replacing("'", with: "''")
                let refusal = session.refusal(of: "update public.catalogue_items set provider = '\(text)'")
                #expect((refusal == nil) == (ProviderName(rawValue: name) != nil), "\(name.debugDescription)")
            }
        }
    }

    @Test func `no column that must be there can be null`() async throws {
        try await Self.withSeed { session in
            let columns = try await session.rows(
                """
                select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attnotnull
                    and a.attidentity = '' and a.attgenerated = '' and a.attname <> 'updated_at'
                """
            )
            #expect(columns.count > 100)
            for row in columns {
                let (table, column) = (row[0] ?? "", row[1] ?? "")
                let refusal = session.refusal(of: "update public.\(table) set \(column) = null")
                #expect(
                    refusal == .init(state: "23502", name: column),
                    "\(table).\(column); without a row of \(table) in SchemaSeed nothing is refused"
                )
            }
        }
    }

    @Test func `no foreign key can point at nothing`() async throws {
        try await Self.withSeed { session in
            let keys = try await session.rows(
                """
                select k.conrelid::regclass::text, k.conname, a.attname
                from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
                where k.connamespace = 'public'::regnamespace and k.contype = 'f'
                """
            )
            #expect(keys.count > 25)
            // Rows that others point at cannot be changed first; these are tried with a row of their own.
            let own = [
                "users_id_fkey": "insert into public.users (id) values (gen_random_uuid())",
                "recommendation_runs_vault_id_fkey":
                    "update public.recommendation_runs set vault_id = gen_random_uuid() where id not in "
                    + "(select run_id from public.recommendations)",
            ]
            let other = SchemaSeed.run(of: 1, request: "other")
            try await session.run(
                script: """
                    insert into public.recommendation_runs select (jsonb_populate_record(r, '{
                        "id": "\(other.id)", "identity": "\(other.identity)", "request": "other", "outcome": "short"
                    }')).* from public.recommendation_runs r
                    """
            )
            for row in keys {
                let (table, name, column) = (row[0] ?? "", row[1] ?? "", row[2] ?? "")
                let refusal = session.refusal(
                    of: own[name] ?? "update public.\(table) set \(column) = gen_random_uuid()"
                )
                #expect(
                    refusal == .init(state: "23503", name: name),
                    "\(name); without a row of \(table) in SchemaSeed nothing is refused"
                )
            }
        }
    }

    @Test(arguments: [
        ("birthday", "major_milestone"), ("anniversary", "major_milestone"), ("holiday", "minor_occasion"),
    ])
    func `a milestone without a tier gets its kind's`(kind: String, tier: String) async throws {
        try await Self.withSeed { session in
            let found = try await session.value(
                "insert into public.partner_milestones (vault_id, milestone_type, milestone_name, milestone_date, recurrence) "
                    + "select id, '\(kind)', 'x', '2000-01-01', 'yearly' from public.partner_vaults returning budget_tier"
            )
            #expect(found == tier)
        }
    }

    @Test func `a day of one's own without a tier is refused`() async throws {
        try await Self.withSeed { session in
            let refusal = session.refusal(
                of: "insert into public.partner_milestones (vault_id, milestone_type, milestone_name, milestone_date, "
                    + "recurrence) select id, 'custom', 'x', '2000-01-01', 'yearly' from public.partner_vaults"
            )
            #expect(refusal == .init(state: "23502", name: "budget_tier"))
        }
    }

    @Test func `a torn set cannot be committed`() async throws {
        try await Self.withSeed { session in
            let other = SchemaSeed.run(of: 1, request: "other")
            let insert = """
                insert into public.recommendation_runs select (jsonb_populate_record(r, '{
                    "id": "\(other.id)", "identity": "\(other.identity)", "request": "other"
                }')).* from public.recommendation_runs r
                """
            #expect(
                session.refusal(of: insert) == .init(state: "23514", name: "recommendation_runs_are_whole")
            )
            let runs = try await session.value("select count(*) from public.recommendation_runs")
            #expect(runs == "1")
        }
    }

    @Test func `a row of another vault's run is refused`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            let refusal = session.refusal(
                of: "update public.recommendations set vault_id = '\(SchemaSeed.id(SchemaSeed.vaultKind, of: 2))' "
                    + "where vault_id = '\(SchemaSeed.id(SchemaSeed.vaultKind, of: 1))'"
            )
            #expect(refusal == .init(state: "23503", name: "recommendations_run_fkey"))
        }
    }

    @Test func `all of a vault goes with it and a milestone leaves its sets behind`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            try await session.run(
                script: "delete from public.partner_milestones where vault_id = '\(SchemaSeed.id(2, of: 1))'"
            )
            let left = try await session.value(
                "select count(*) from public.recommendations where milestone_id is null and run_id is not null"
            )
            #expect(left == "3")
            try await session.run(script: "delete from public.partner_vaults where id = '\(SchemaSeed.id(2, of: 1))'")
            let tables = try await session.column(
                "select distinct table_name from information_schema.columns where table_schema = 'public' "
                    + "and column_name = 'vault_id'"
            )
            #expect(tables.count >= 16)
            for table in tables {
                let vaults = try await session.column("select distinct vault_id from public.\(table)")
                #expect(vaults == [SchemaSeed.id(2, of: 2)], "\(table); SchemaSeed gives each vault a row of it")
            }
            #expect(try await session.value("select count(*) from public.recommendation_feedback") == "3")
            #expect(try await session.value("select count(*) from public.notification_queue") == "1")
        }
    }
}
