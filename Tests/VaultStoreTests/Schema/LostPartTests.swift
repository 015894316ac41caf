import Foundation
import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// What migrations have made and nobody names: a database without it works, and does what it must not.
@Suite("A part of the schema", .onOwnThreads, .tags(.database)) struct LostPartTests {
    /// What takes a part away, and what it is called.
    struct Loss: Sendable, CustomTestStringConvertible {
        let sql: String
        let place: String
        var testDescription: String { sql }

        init(_ sql: String, _ place: String) { (self.sql, self.place) = (sql, place) }
    }

    private static let claim = "api.claim_jobs"
    private static let losses = [
        Loss("drop trigger hints_forget_embedding on public.hints", "trigger of public.hints"),
        Loss(
            "alter table public.catalogue_items disable trigger catalogue_items_number_update",
            "trigger of public.catalogue_items"
        ),
        Loss(
            "alter table public.catalogue_items enable trigger catalogue_items_note_deleted",
            "trigger of public.catalogue_items"
        ),
        Loss("drop policy hints_select_own on public.hints", "policy of public.hints"),
        Loss("alter policy hints_select_own on public.hints using (true)", "policy of public.hints"),
        Loss(
            "alter table public.recommendation_jobs disable row level security",
            "row security of public.recommendation_jobs"
        ),
        Loss("alter table public.hints drop constraint hints_source_check", "check of public.hints"),
        Loss(
            "alter table public.recommendation_jobs drop constraint recommendation_jobs_vault_id_fkey",
            "foreign key of public.recommendation_jobs"
        ),
        Loss("grant execute on function \(claim) to public", "calling of \(claim)"),
        Loss("revoke execute on function \(claim) from knot_worker", "calling of \(claim)"),
        Loss("grant execute on function \(claim) to knot_person", "calling of \(claim)"),
        Loss("alter function \(claim) owner to current_user", "owner of \(claim)"),
        Loss("alter function \(claim) owner to knot_worker", "owner of \(claim)"),
        Loss("alter function \(claim) security invoker", "calling of \(claim)"),
        Loss(
            "alter function public.handle_new_user() security invoker",
            "calling of public.handle_new_user()"
        ),
        Loss("alter table public.hints owner to knot_worker", "owner of public.hints"),
        Loss("alter function knot.forget_readings() owner to current_user", "owner of knot.forget_readings"),
        Loss("alter function knot.forget_import_file() owner to knot_worker", "owner of knot.forget_import_file"),
        Loss(
            "alter function knot.forget_readings_of_vaults() security invoker",
            "owner of knot.forget_readings_of_vaults"
        ),
        Loss("drop index public.idx_recommendation_runs_reminder", "index of public.recommendation_runs"),
        Loss("revoke usage on schema api from knot_worker", "rights of schema api for knot_worker"),
        Loss("revoke usage on schema public from authenticated", "rights of schema public for authenticated"),
        Loss("grant usage on schema api to public", "rights of schema api for public"),
        Loss("grant create on schema knot to knot_worker", "rights of schema knot for knot_worker"),
        Loss("revoke all on knot.knot_migrations from knot_worker", "rights of knot.knot_migrations for knot_worker"),
        Loss("revoke all on public.hints from authenticated", "rights of public.hints for authenticated"),
        Loss("revoke insert on public.hints from authenticated", "rights of public.hints for authenticated"),
        Loss(
            "revoke insert (kind) on public.recommendation_runs from authenticated",
            "rights of public.recommendation_runs for authenticated"
        ),
        Loss(
            "grant insert on public.text_embeddings to authenticated",
            "rights of public.text_embeddings for authenticated"
        ),
        Loss("grant select on public.text_embeddings to anon", "rights of public.text_embeddings for anon"),
        Loss("grant select on public.hints to public", "rights of public.hints for public"),
        Loss(
            "grant update on sequence public.text_embeddings_id_seq to anon",
            "rights of sequence public.text_embeddings_id_seq for anon"
        ),
        Loss(
            "revoke select (notice_id) on public.recommendation_jobs from knot_worker",
            "rights of public.recommendation_jobs for knot_worker"
        ),
    ]

    private static func refusal(_ session: SchemaSession) async throws -> MigrationError? {
        do throws(MigrationError) {
            _ = try await Migrator(session, engineVersion: "test").status()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `that is looked for is one that the migrations make`(on version: ServerVersion) async throws {
        let kinds: Set<CatalogueEntry.Kind> = [
            .key, .check, .foreignKey, .calling, .owner, .trigger, .policy, .rowSecurity, .rights,
        ]
        try await SchemaDatabase.with(version) { database in
            let found = try await MigrationDatabase(session: try database.connect()).parts().filter { entry in
                // An index that is no rule makes things fast and nothing else.
                kinds.contains(entry.kind) || entry.kind == .index && entry.definition.hasPrefix("CREATE UNIQUE")
            }
            let made = ProductionSchema(found, or: found)
            if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil, version == .eighteen {
                let file = "\(StoredWorld.root)/Sources/Migrations/SQL/whole_catalogue.json"
                try made.text.write(toFile: file, atomically: true, encoding: .utf8)
            }
            #expect(made.text == ProductionSchema.whole.text)
            #expect(made.entries.count > 200)
        }
    }

    @Test(arguments: losses)
    func `that is lost is named with what mends it to who asks for the state, and keeps no run from starting`(
        loss: Loss
    ) async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: loss.sql)
            try await SchemaCheck.verify(session)
            let error = try #require(try await Self.refusal(session))
            #expect(error.code == .foreignSchema, "\(error)")
            #expect(error.differences.contains { $0.place.hasPrefix(loss.place) }, "\(error.differences)")
            for difference in error.differences {
                #expect(session.refusal(of: difference.statement) == nil, "\(difference.statement)")
            }
            let rest = try await Self.refusal(session)
            #expect(rest == nil, "\(rest?.differences ?? [])")
        }
    }

    @Test func `that bears another's name gives way to it in one statement`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(
                script: """
                    alter table public.hints drop constraint hints_source_check,
                        add constraint hints_source_check check (source <> 'none');
                    drop policy hints_select_own on public.hints;
                    create policy hints_select_own on public.hints for select to authenticated using (false);
                    """
            )
            let error = try #require(try await Self.refusal(session))
            #expect(error.differences.map(\.place) == ["check of public.hints", "policy of public.hints"])
            for difference in error.differences {
                #expect(session.refusal(of: difference.statement) == nil, "\(difference.statement)")
                let there = """
                    select (select count(*) from pg_constraint where conname = 'hints_source_check')
                        + (select count(*) from pg_policies where policyname = 'hints_select_own')
                    """
                #expect(try await session.value(there) == "2", "\(difference.statement)")
            }
            #expect(try await Self.refusal(session) == nil)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `is written alike whatever the server's settings are`(on version: ServerVersion) async throws {
        try await SchemaDatabase.with(version) { database in
            let settings = [
                ("timezone", "America/New_York"), ("datestyle", "German"), ("intervalstyle", "iso_8601"),
                ("extra_float_digits", "-3"), ("bytea_output", "escape"), ("quote_all_identifiers", "on"),
                ("standard_conforming_strings", "off"),
            ]
            for (name, value) in settings {
                try await database.connect().run(
                    script: "alter database \(database.database.name) set \(name) = '\(value)'"
                )
                let rest = try await Self.refusal(database.connect())
                #expect(rest == nil, "\(name): \(rest?.differences.first?.description ?? "")")
            }
        }
    }

    @Test func `that somebody added is their own`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(
                script: """
                    create table public.songs (id integer);
                    create unique index on public.hints (id, hint_text);
                    alter table public.hints add column mood text check (mood <> '');
                    alter table public.hints add constraint short check (char_length(hint_text) < 9) not valid;
                    alter table public.partner_vibes rename constraint partner_vibes_vault_id_vibe_tag_key to other;
                    create policy more on public.hints for select to anon using (false);
                    create trigger more before update on public.hints
                        for each row execute function public.handle_updated_at();
                    grant select on public.songs to anon;
                    grant all on public.hints to anon;
                    grant truncate on public.users to authenticated;
                    grant all on public.hints, public.text_embeddings to service_role;
                    """
            )
            let error = try await Self.refusal(session)
            #expect(error == nil, "\(error?.differences ?? [])")
        }
    }

    @Test func `is looked for by who works with the schema as by who owns it`() async throws {
        try await SchemaDatabase.with { database in
            #expect(try await Self.refusal(database.connect(as: "knot_worker")) == nil)
            try await database.connect().run(script: Self.losses[0].sql)
            #expect(try await Self.refusal(database.connect(as: "knot_worker"))?.code == .foreignSchema)
        }
    }
}
