import Digest
import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// Who sees and changes which rows, over all tables and verbs.
@Suite(.onOwnThreads, .tags(.database)) struct RowSecurityTests {
    /// Of each table, which user a row belongs to; the server's own oracle, asked as its owner.
    private static let owners: [(table: String, owner: String)] = {
        let byVault = [
            "partner_interests", "partner_milestones", "partner_vibes", "partner_budgets", "partner_love_languages",
            "hints", "recommendations",
        ]
        return byVault.map { ($0, "(select v.user_id from public.partner_vaults v where v.id = t.vault_id)") } + [
            ("users", "t.id"), ("partner_vaults", "t.user_id"), ("recommendation_feedback", "t.user_id"),
            ("notification_queue", "t.user_id"),
        ]
    }()

    /// Ours that a person may read, and whose they are.
    private static let readable: [(table: String, owner: String)] = [
        "recommendation_runs", "hint_readings", "vault_readings", "text_embeddings", "learned_weights",
        "catalogue_items", "vault_imports", "vault_import_files", "recommendation_notices",
    ].map { ($0, "(select v.user_id from public.partner_vaults v where v.id = t.vault_id)") }

    private static func become(_ role: String, _ person: Int?) -> String {
        let claims = person.map { "{\"sub\": \"\(SchemaSeed.id(SchemaSeed.userKind, of: $0))\"}" } ?? ""
        return "begin; set local role \(role); select set_config('request.jwt.claims', '\(claims)', true);"
    }

    /// How many rows a statement touches for somebody, or its SQLSTATE; nothing stays.
    private static func touched(
        _ session: SchemaSession,
        _ start: String,
        _ statement: String
    ) async throws -> String {
        try await session.run(script: start)
        let outcome: String
        do throws(MigrationSessionError) {
            outcome = String(try await session.rows("\(statement) returning 1").count)
        } catch {
            outcome = error.sqlState ?? error.message
        }
        try await session.run(script: "rollback")
        return outcome
    }

    private static func seen(
        _ session: SchemaSession,
        _ start: String,
        _ table: String,
        _ column: String
    ) async throws -> [String] {
        try await session.run(script: start)
        let rows: [String]
        do throws(MigrationSessionError) {
            rows = try await session.column("select \(column)::text from public.\(table) order by 1")
        } catch {
            rows = [error.sqlState ?? error.message]
        }
        try await session.run(script: "rollback")
        return rows
    }

    private static func key(of table: String) -> String {
        ["learned_weights", "vault_imports", "vault_import_files"].contains(table) ? "vault_id" : "id"
    }

    @Test(arguments: ServerVersion.serving)
    func `everybody reads exactly their own rows`(on server: ServerVersion) async throws {
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...3))
            for (table, owner) in Self.owners + Self.readable {
                let key = Self.key(of: table)
                for person in 1...2 {
                    let own = try await session.column(
                        "select t.\(key)::text from public.\(table) t where \(owner) = "
                            + "'\(SchemaSeed.id(SchemaSeed.userKind, of: person))' order by 1"
                    )
                    #expect(!own.isEmpty)
                    let found = try await Self.seen(session, Self.become("authenticated", person), table, key)
                    #expect(found == own, "\(table) as \(person)")
                }
                #expect(try await Self.seen(session, Self.become("authenticated", nil), table, key) == [], "\(table)")
                let isOld = Self.owners.contains { $0.table == table }
                let anonymous = try await Self.seen(session, Self.become("anon", nil), table, key)
                #expect(anonymous == (isOld ? [] : ["42501"]), "\(table)")
                let all = try await session.column("select \(key)::text from public.\(table) order by 1")
                let worker = try await Self.seen(session, Self.become("knot_worker", nil), table, key)
                // Files hold what no scheduled work needs.
                #expect(worker == (table == "vault_import_files" ? ["42501"] : all), "\(table)")
                let person = try await Self.seen(session, Self.become("knot_person", 1), table, key)
                #expect(person == ["42501"], "\(table)")
            }
        }
    }

    @Test func `nobody changes or deletes a foreign row`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            for (table, owner) in Self.owners {
                let foreign = "where \(owner) = '\(SchemaSeed.id(SchemaSeed.userKind, of: 2))'"
                let own = "where \(owner) = '\(SchemaSeed.id(SchemaSeed.userKind, of: 1))'"
                let mine = try await session.value("select count(*) from public.\(table) t \(own)")
                let asFirst = Self.become("authenticated", 1)
                for (condition, expected) in [(foreign, "0"), (own, mine), ("", mine)] {
                    let update = "update public.\(table) t set id = id \(condition)"
                    #expect(try await Self.touched(session, asFirst, update) == expected, "\(update)")
                    let delete = "delete from public.\(table) t \(condition)"
                    #expect(try await Self.touched(session, asFirst, delete) == expected, "\(delete)")
                }
                for verb in ["update public.\(table) t set id = id", "delete from public.\(table) t"] {
                    #expect(try await Self.touched(session, Self.become("anon", nil), verb) == "42501", "\(verb)")
                    #expect(try await Self.touched(session, Self.become("knot_person", 1), verb) == "42501", "\(verb)")
                    #expect(
                        try await Self.touched(session, Self.become("knot_worker", nil), verb) == "42501",
                        "\(verb)"
                    )
                }
            }
        }
    }

    @Test func `nobody puts a row into a foreign vault or gives one away`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            let (mine, theirs) = (SchemaSeed.id(2, of: 1), SchemaSeed.id(2, of: 2))
            let inserts: [(table: String, columns: String, values: String)] = [
                ("partner_interests", "interest_type, interest_category", "'like', 'Wine'"),
                (
                    "partner_milestones", "milestone_type, milestone_name, milestone_date, recurrence",
                    "'holiday', 'x', '2000-01-01', 'yearly'"
                ),
                ("partner_vibes", "vibe_tag", "'romantic'"),
                ("partner_budgets", "occasion_type, min_amount, max_amount", "'just_because', 1, 2"),
                ("partner_love_languages", "language, priority", "'physical_touch', 2"),
                ("hints", "hint_text, source", "'x', 'text_input'"),
                ("recommendations", "recommendation_type, title", "'gift', 'x'"),
            ]
            let asFirst = Self.become("authenticated", 1)
            for (table, columns, values) in inserts {
                for (vault, expected) in [(theirs, "42501"), (mine, "1")] {
                    let insert = "insert into public.\(table) (vault_id, \(columns)) values ('\(vault)', \(values))"
                    #expect(try await Self.touched(session, asFirst, insert) == expected, "\(table)")
                    #expect(try await Self.touched(session, Self.become("anon", nil), insert) == "42501", "\(table)")
                }
                let gift = "update public.\(table) set vault_id = '\(theirs)' where vault_id = '\(mine)'"
                #expect(try await Self.touched(session, asFirst, gift) == "42501", "\(table)")
            }
            let them = SchemaSeed.id(1, of: 2)
            for insert in [
                "insert into public.users (id) values (gen_random_uuid())",
                "insert into public.partner_vaults (user_id, partner_name) values ('\(them)', 'x')",
                "insert into public.recommendation_feedback (recommendation_id, user_id, action) "
                    + "select id, '\(them)', 'saved' from public.recommendations",
                "insert into public.notification_queue (user_id, milestone_id, scheduled_for, days_before) "
                    + "select '\(them)', id, now(), 3 from public.partner_milestones",
                "insert into public.recommendation_runs select (jsonb_populate_record(r, "
                    + "'{\"vault_id\": \"\(theirs)\"}')).* from public.recommendation_runs r",
                "insert into public.learned_weights select * from public.learned_weights",
                "insert into public.recommendation_jobs select * from public.recommendation_jobs",
                "insert into public.catalogue_items (source, candidate_id) values ('x', 'y')",
            ] {
                #expect(try await Self.touched(session, asFirst, insert) == "42501", "\(insert)")
            }
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `a vault takes so many milestones, but of who owns the tables`(on server: ServerVersion) async throws {
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            func insert(_ count: Int) -> String {
                """
                insert into public.partner_milestones
                    (vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier)
                select '\(SchemaSeed.id(SchemaSeed.vaultKind, of: 1))', 'custom', 'Day ' || n, '2000-05-16', 'yearly',
                    'minor_occasion'
                from generate_series(1, \(count)) n
                """
            }
            // Each vault of the seed has one.
            let asFirst = Self.become("authenticated", 1)
            #expect(try await Self.touched(session, asFirst, insert(255)) == "255")
            #expect(try await Self.touched(session, asFirst, insert(256)) == "23514")
            #expect(try await Self.touched(session, Self.become("service_role", nil), insert(256)) == "23514")
            #expect(try await Self.touched(session, "begin", insert(700)) == "700")
            try await session.run(script: insert(700))
            let rename = "update public.partner_milestones set milestone_name = 'x'"
            #expect(try await Self.touched(session, asFirst, rename) == "701")
        }
    }

    @Test func `the worker writes what it was given and nothing else`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            let worker = Self.become("knot_worker", nil)
            let allowed = [
                "update public.hints set is_used = true where true", "delete from public.text_embeddings where true",
                "update public.learned_weights set revision = revision + 1 where true",
                "update public.catalogue_items set embedding_model = embedding_model where true",
            ]
            for statement in allowed {
                #expect(try await Self.touched(session, worker, statement) == "2", "\(statement)")
            }
            for statement in [
                "update public.hints set hint_text = 'x'", "update public.recommendations set title = 'x'",
                "update public.recommendation_runs set request = 'x'", "delete from public.recommendation_runs",
                "update public.recommendation_jobs set state = 'dead'", "delete from public.hints",
                "update public.notification_queue set status = 'sent'", "delete from public.learned_weights",
                "insert into public.hints (vault_id, hint_text, source) select id, 'x', 'text_input' "
                    + "from public.partner_vaults",
                "update public.catalogue_items set title = 'x'", "update public.vault_imports set name = 'x'",
            ] {
                #expect(try await Self.touched(session, worker, statement) == "42501", "\(statement)")
            }
        }
    }

    @Test func `a hundred thousand random reads show no foreign row`() async throws {
        let seed = Double(Int(RandomBytes.make(2).reduce(0) { $0 << 8 | Int($1) })) / 65_536
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            let people = 24
            try await session.run(script: SchemaSeed.script(people: 1...people))
            let unions = (Self.owners + Self.readable).map { table, owner in
                "select '\(table)' as name, '\(Self.key(of: table))' as key, t.\(Self.key(of: table))::text as id, "
                    + "\(owner) as owner from public.\(table) t"
            }
            try await session.run(
                script: """
                    create table public.tally (own bigint, foreign_rows bigint, missing bigint);
                    grant insert on public.tally to authenticated;
                    select setseed(\(seed));
                    do $$
                    declare
                        names text[]; keys text[]; ids text[]; owners uuid[]; readers uuid[];
                        i integer; found_rows bigint; reader uuid; own bigint := 0; alien bigint := 0;
                        missing bigint := 0;
                    begin
                        select array_agg(name), array_agg(key), array_agg(id), array_agg(owner)
                            into names, keys, ids, owners from (\(unions.joined(separator: " union all "))) r;
                        select array_agg(id) into readers from public.users;
                        perform set_config('role', 'authenticated', true);
                        for n in 1..100000 loop
                            i := 1 + floor(random() * cardinality(names))::integer;
                            -- Every other read is by the row's own person, so that both answers are seen.
                            reader := case when n % 2 = 0 then owners[i]
                                else readers[1 + floor(random() * cardinality(readers))::integer] end;
                            perform set_config('request.jwt.claims', json_build_object('sub', reader)::text, true);
                            execute format('select count(*) from public.%I where %I::text = $1', names[i], keys[i])
                                into found_rows using ids[i];
                            if reader = owners[i] then
                                own := own + found_rows;
                                missing := missing + (1 - found_rows);
                            else
                                alien := alien + found_rows;
                            end if;
                        end loop;
                        insert into public.tally values (own, alien, missing);
                    end
                    $$;
                    """
            )
            let tally = try await session.rows("select own, foreign_rows, missing from public.tally")
            let own = tally.first?[0].flatMap { Int($0) } ?? 0
            #expect(own > 50_000, "seed \(seed)")
            #expect(tally.first?.dropFirst() == ["0", "0"], "seed \(seed)")
        }
    }
}
