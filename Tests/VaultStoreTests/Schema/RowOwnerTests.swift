import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import Learning
@testable import VaultStore

/// Rows that name a person and hang on a vault are that vault's person's, whoever writes them.
@Suite(.onOwnThreads, .tags(.database)) struct RowOwnerTests {
    /// The second person's words on the first one's recommendations, and their notification of the first one's day.
    private static let strangers = [
        "insert into public.recommendation_feedback (recommendation_id, user_id, action, rating) "
            + "select r.id, '\(SchemaSeed.id(1, of: 2))', 'rated', 1 from public.recommendations r "
            + "where r.vault_id = '\(SchemaSeed.id(2, of: 1))'",
        "update public.recommendation_feedback set recommendation_id = (select min(r.id::text)::uuid from "
            + "public.recommendations r where r.vault_id = '\(SchemaSeed.id(2, of: 1))') "
            + "where user_id = '\(SchemaSeed.id(1, of: 2))'",
        "insert into public.notification_queue (user_id, milestone_id, scheduled_for, days_before) "
            + "values ('\(SchemaSeed.id(1, of: 2))', '\(SchemaSeed.id(3, of: 1))', '2026-04-22 10:00Z', 14)",
        "update public.notification_queue set milestone_id = '\(SchemaSeed.id(3, of: 1))' "
            + "where user_id = '\(SchemaSeed.id(1, of: 2))'",
    ]

    private static func withPeople(_ body: (SchemaDatabase, SchemaSession) async throws -> Void) async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            try await body(database, session)
        }
    }

    /// Puts rows in as they may stand in a database from before there was a rule.
    private static func force(_ statements: [String], _ session: SchemaSession) async throws {
        try await session.run(
            script: "set session_replication_role = replica; \(statements.joined(separator: "; ")); "
                + "set session_replication_role = origin"
        )
    }

    @Test(arguments: ["authenticated", "service_role", "knot"])
    func `nobody gives feedback on another's set or is told of another's day`(role: String) async throws {
        try await Self.withPeople { _, session in
            let ids = try await session.column(
                "select id from public.recommendations where vault_id = '\(SchemaSeed.id(2, of: 1))' order by id"
            )
            let claims = "{\"sub\": \"\(SchemaSeed.id(1, of: 2))\"}"
            for statement in Self.strangers {
                // A person does not even see the ids, so that they are given here.
                let told = statement.replacing("select r.id,", with: "select i.id,")
                    .replacing(
                        "from public.recommendations r where r.vault_id = '\(SchemaSeed.id(2, of: 1))'",
                        with: ""
                    )
                    .replacing(
                        "'rated', 1 ",
                        with: "'rated', 1 from unnest('{\(ids.joined(separator: ","))}'::uuid[]) i (id)"
                    )
                    .replacing("(select min(r.id::text)::uuid )", with: "'\(ids[0])'")
                try await session.run(
                    script: "begin; set local role \(role); select set_config('request.jwt.claims', '\(claims)', true)"
                )
                let state = session.refusal(of: told)?.state
                #expect(state == (role == "authenticated" ? "42501" : "23514"), "\(role): \(told)")
                try await session.run(script: "rollback")
            }
        }
    }

    @Test(arguments: ["knot", "knot_worker"])
    func `what a stranger said before there was a rule counts in nothing`(role: String) async throws {
        try await Self.withPeople { database, session in
            let vault = try #require(PostgresUUID(SchemaSeed.id(SchemaSeed.vaultKind, of: 1)))
            let pool = try VaultDatabase.pool(database.database, user: role)
            let all = try VaultDatabase.pool(database.database, user: "knot")
            let moment = Instant(millisecondsSinceEpoch: 1_900_000_000_000)
            func seen() async throws -> [String] {
                let signals = try await pool.withConnection(until: ImportedWorld.limit) {
                    connection throws(PostgresError) in
                    FeedbackReader.signals(try await connection.run(FeedbackReader.query(vault))).signals
                }
                let learned = try await LearnStore(pool).learn(vault, asOf: moment, until: ImportedWorld.limit)
                let rows = try await pool.read(VaultStatements.all(vault, .none), until: ImportedWorld.limit)
                let fixture = try await VaultExporter(all).fixture(vault, until: ImportedWorld.limit)
                let whole = try await VaultExporter(all).everything(vault, until: ImportedWorld.limit)
                return [
                    signals.map(\.id.description).joined(), "\(learned?.weights.weights ?? .null)",
                    "\(rows[VaultStatements.Part.feedback.rawValue].count)", fixture.canonical,
                    whole["tables"]?["recommendation_feedback"]?.canonical ?? "",
                    whole["tables"]?["notification_queue"]?.canonical ?? "",
                ]
            }
            _ = try await LearnStore(pool).learn(vault, asOf: moment, until: ImportedWorld.limit)
            let before = try await seen()
            try await Self.force([Self.strangers[0], Self.strangers[2]], session)
            #expect(try await session.value("select count(*) from public.recommendation_feedback") == "9")
            #expect(try await seen() == before)
        }
    }

    @Test func `the owner's own feedback and notifications are taken`() async throws {
        try await Self.withPeople { _, session in
            let claims = "{\"sub\": \"\(SchemaSeed.id(1, of: 1))\"}"
            try await session.run(
                script:
                    "begin; set local role authenticated; select set_config('request.jwt.claims', '\(claims)', true)"
            )
            for statement in [
                "insert into public.recommendation_feedback (recommendation_id, user_id, action) "
                    + "select r.id, '\(SchemaSeed.id(1, of: 1))', 'saved' from public.recommendations r",
                "update public.recommendation_feedback set rating = 5",
                "insert into public.notification_queue (user_id, milestone_id, scheduled_for, days_before) "
                    + "select '\(SchemaSeed.id(1, of: 1))', m.id, now(), 3 from public.partner_milestones m",
                "update public.notification_queue set viewed_at = now()",
            ] {
                #expect(session.refusal(of: statement) == nil, "\(statement)")
            }
            try await session.run(script: "rollback")
        }
    }

    @Test func `a person's set is for no day of another's`() async throws {
        try await Self.withPeople { _, session in
            let claims = "{\"sub\": \"\(SchemaSeed.id(1, of: 1))\"}"
            let set = SchemaSeed.set(of: 1, run: SchemaSeed.run(of: 1, request: "other"))
            for statement in [
                "update public.recommendations set milestone_id = '\(SchemaSeed.id(3, of: 2))'",
                "insert into public.recommendations (vault_id, milestone_id, recommendation_type, title) values "
                    + "('\(SchemaSeed.id(2, of: 1))', '\(SchemaSeed.id(3, of: 2))', 'gift', 'x')",
                set.replacing(SchemaSeed.id(3, of: 1), with: SchemaSeed.id(3, of: 2)),
            ] {
                try await session.run(
                    script: "begin; set local role authenticated; "
                        + "select set_config('request.jwt.claims', '\(claims)', true)"
                )
                #expect(session.refusal(of: statement)?.state == "42501", "\(statement)")
                try await session.run(script: "rollback")
            }
        }
    }

    @Test func `a stranger's notification of one's day is not taken for one's own`() async throws {
        try await Self.withPeople { database, session in
            try await session.run(
                script: "delete from public.recommendation_jobs; delete from public.notification_queue"
            )
            try await Self.force([Self.strangers[2]], session)
            let worker = try database.connect(as: "knot_worker")
            let notice = try await worker.value(
                "select notification_id from api.enqueue('{\(SchemaSeed.id(3, of: 1))}', '{2026-05-06}', '{14}', "
                    + "'{2026-04-22 10:00Z}')"
            )
            let person = "select user_id from public.notification_queue where id = '\(notice ?? "")'"
            #expect(try await session.value(person) == SchemaSeed.id(1, of: 1))
            #expect(try await session.value("select count(*) from public.notification_queue") == "2")
        }
    }

    @Test func `a job is never bound to another's notification or vault`() async throws {
        try await Self.withPeople { _, session in
            for change in [
                "set notification_id = '\(SchemaSeed.id(5, of: 2))'", "set vault_id = '\(SchemaSeed.id(2, of: 2))'",
                "set milestone_id = '\(SchemaSeed.id(3, of: 2))', occurrence_date = '2030-01-01'",
            ] {
                let update = "update public.recommendation_jobs \(change) where vault_id = '\(SchemaSeed.id(2, of: 1))'"
                #expect(
                    session.refusal(of: update) == .init(state: "23514", name: "recommendation_jobs_are_of_one_vault"),
                    "\(change)"
                )
            }
        }
    }
}
