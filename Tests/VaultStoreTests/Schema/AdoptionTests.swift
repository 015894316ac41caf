import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// A database that production made is taken over only as it has to be, and told to the last difference what it lacks.
@Suite(.onOwnThreads, .tags(.database)) struct AdoptionTests {
    /// One flaw in a schema, and where it is to be found.
    struct Flaw: Sendable, CustomTestStringConvertible {
        let sql: String
        let place: String
        var count = 1
        var testDescription: String { sql }

        init(_ sql: String, _ place: String, count: Int = 1) {
            (self.sql, self.place, self.count) = (sql, place, count)
        }
    }

    private static let flaws = [
        Flaw("alter table public.hints disable row level security", "row security of public.hints"),
        Flaw("alter table public.users force row level security", "row security of public.users"),
        Flaw(
            "alter table public.partner_vibes drop constraint partner_vibes_vault_id_vibe_tag_key",
            "key of public.partner_vibes"
        ),
        Flaw("alter table public.hints drop constraint hints_pkey", "key of public.hints"),
        Flaw(
            "alter table public.partner_vaults drop constraint partner_vaults_user_id_key",
            "key of public.partner_vaults"
        ),
        Flaw(
            "alter table public.recommendations drop constraint recommendations_vault_id_fkey",
            "foreign key of public.recommendations"
        ),
        Flaw(
            "alter table public.hints drop constraint hints_vault_id_fkey, add foreign key (vault_id) "
                + "references public.partner_vaults (id)",
            "foreign key of public.hints"
        ),
        Flaw("alter table public.hints drop constraint hints_source_check", "check of public.hints"),
        Flaw("alter table public.hints add check (length(hint_text) < 10)", "check of public.hints"),
        Flaw("alter table public.hints alter column hint_text drop not null", "column of public.hints.hint_text"),
        Flaw("alter table public.hints alter column is_used drop default", "column of public.hints.is_used"),
        Flaw("alter table public.hints alter column is_used set default true", "column of public.hints.is_used"),
        Flaw(
            "alter table public.recommendations alter column price_cents type bigint",
            "column of public.recommendations.price_cents"
        ),
        Flaw(
            "alter table public.recommendations drop column merchant_name",
            "column of public.recommendations.merchant_name"
        ),
        Flaw("alter table public.users alter column timezone type varchar(10)", "column of public.users.timezone"),
        Flaw("alter table public.hints add column shelf integer not null", "column of public.hints.shelf"),
        Flaw("drop index public.idx_hints_vault_id", "index of public.hints"),
        Flaw("drop index public.idx_hints_embedding", "index of public.hints"),
        Flaw("create unique index on public.hints (hint_text)", "index of public.hints"),
        Flaw("drop policy hints_select_own on public.hints", "policy of public.hints"),
        Flaw("alter policy hints_select_own on public.hints using (true)", "policy of public.hints"),
        Flaw("alter policy hints_insert_own on public.hints to authenticated", "policy of public.hints"),
        Flaw("create policy anybody on public.hints for select using (true)", "policy of public.hints"),
        Flaw("grant all on public.hints to anon", "rights of public.hints for anon"),
        Flaw("grant truncate on public.hints to authenticated", "rights of public.hints for authenticated"),
        Flaw("grant select (email) on public.users to public", "rights of public.users for public"),
        Flaw("revoke insert on public.hints from authenticated", "rights of public.hints for authenticated"),
        Flaw("drop trigger on_auth_user_created on auth.users", "trigger of auth.users"),
        Flaw("drop trigger handle_updated_at on public.users", "trigger of public.users"),
        Flaw(
            "alter table public.users disable trigger handle_updated_at",
            "trigger of public.users"
        ),
        Flaw(
            "alter function public.handle_new_user() security invoker",
            "function of public.handle_new_user()",
            count: 2
        ),
        Flaw("alter function public.handle_new_user() reset search_path", "function of public.handle_new_user()"),
        Flaw("grant execute on function public.handle_new_user() to anon", "calling of public.handle_new_user()"),
        Flaw(
            "create or replace function public.handle_milestone_budget_tier() returns trigger language plpgsql "
                + "set search_path = '' as $$ begin return new; end $$",
            "function of public.handle_milestone_budget_tier()"
        ),
        Flaw(
            "drop table public.partner_vibes",
            "table of public.partner_vibes",
            count: 21
        ),
    ]

    /// What production made, with its columns of today and without a history of ours.
    private static func withProduction(
        _ version: ServerVersion = .eighteen,
        to number: Int = 14,
        _ body: (SchemaDatabase, SchemaSession) async throws -> Void
    ) async throws {
        try await SchemaDatabase.with(version, isMigrated: false) { database in
            let session = try database.connect()
            _ = try await Migrator(session, engineVersion: "test").migrate(to: number)
            try await session.run(script: "drop schema knot cascade")
            try await body(database, session)
        }
    }

    private static func refusal(_ session: SchemaSession) async throws -> MigrationError? {
        do throws(MigrationError) {
            _ = try await Migrator(session, engineVersion: "test").plan()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `what is known of production is what the migrations make`(on version: ServerVersion) async throws {
        var looks: [[CatalogueEntry]] = []
        for number in [12, 14] {
            try await Self.withProduction(version, to: number) { _, session in
                looks.append(try await MigrationDatabase(session: session).catalogue())
            }
        }
        let made = ProductionSchema(looks[0], or: looks[1])
        if ProcessInfo.processInfo.environment["KNOT_RECORD_SNAPSHOTS"] != nil, version == .eighteen {
            let file = "\(StoredWorld.root)/Sources/Migrations/SQL/production_catalogue.json"
            try made.text.write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(made.text == ProductionSchema.recorded.text)
        #expect(made.entries.count > 200)
    }

    @Test(arguments: ServerVersion.serving, [12, 13, 14])
    func `production's own schema has no difference`(on version: ServerVersion, number: Int) async throws {
        try await Self.withProduction(version, to: number) { _, session in
            let error = try await Self.refusal(session)
            #expect(error == nil, "\(error?.differences ?? [])")
            let migrator = Migrator(session, engineVersion: "test")
            _ = try await migrator.migrate()
            try await SchemaCheck.verify(session)
            _ = try await migrator.status()
        }
    }

    @Test(arguments: flaws)
    func `a flaw is found and its statements mend it`(flaw: Flaw) async throws {
        try await Self.withProduction { _, session in
            try await session.run(script: flaw.sql)
            let error = try #require(try await Self.refusal(session))
            #expect(error.code == .foreignSchema)
            #expect(error.differences.contains { $0.place == flaw.place }, "\(error.differences)")
            if flaw.count < 20 { #expect(error.differences.count == flaw.count, "\(error.differences)") }
            for difference in error.differences {
                #expect(session.refusal(of: difference.statement) == nil, "\(difference.statement)")
            }
            let rest = try await Self.refusal(session)
            #expect(rest == nil, "\(rest?.differences ?? [])")
            _ = try await Migrator(session, engineVersion: "test").migrate()
        }
    }

    /// Rules that an owner may have added to production's tables, some under names of ours.
    private static let ofOwner = """
        alter table public.hints add constraint short check (char_length(hint_text) < 400);
        alter table public.hints add column shelf integer not null;
        alter table public.hints add constraint once unique (id, hint_text);
        create unique index own on public.hints (id, source);
        alter table public.partner_vibes add constraint far foreign key (vault_id) references public.partner_vaults (id)
            on delete cascade deferrable;
        create policy "More of it" on public.hints for select to anon using (false);
        create trigger more before update of email on public.users
            for each row execute function public.handle_updated_at();
        create trigger never before update on public.users
            for each row execute function public.handle_updated_at();
        alter table public.users disable trigger never;
        alter table public.hints drop constraint hints_source_check,
            add constraint hints_source_check check (source <> 'none');
        alter table public.partner_vibes drop constraint partner_vibes_pkey,
            add constraint partner_vibes_pkey primary key (vault_id, id);
        drop policy hints_delete_own on public.hints;
        create policy hints_delete_own on public.hints as restrictive for delete using (true);
        """

    @Test func `no proposed fix takes an owner's rule away without putting it back`() async throws {
        try await Self.withProduction { _, session in
            let ours = Set(try await MigrationDatabase(session: session).catalogue().map(\.saying))
            try await session.run(script: Self.ofOwner)
            let theirs = Set(try await MigrationDatabase(session: session).catalogue().map(\.saying)).subtracting(ours)
            #expect(theirs.count == 11)
            let error = try #require(try await Self.refusal(session))
            let fixes = error.differences.map(\.description).map { $0.components(separatedBy: " with: ") }
            let mark = "; if what it takes away is yours, put it back after migrate"
            for fix in fixes {
                let statement = fix.count > 1 ? fix[1].replacing(mark, with: "") : ""
                #expect(session.refusal(of: statement) == nil, "\(statement)")
            }
            let migrator = Migrator(session, engineVersion: "test")
            _ = try await migrator.migrate()
            for fix in fixes where fix.count > 2 {
                #expect(session.refusal(of: fix[2]) == nil, "\(fix[2])")
            }
            let left = Set(try await MigrationDatabase(session: session).catalogue().map(\.saying))
            #expect(theirs.subtracting(left) == [])
            _ = try await migrator.status()
        }
    }

    @Test func `what does no harm is no difference`() async throws {
        try await Self.withProduction { _, session in
            try await session.run(
                script: """
                    create index on public.hints (created_at);
                    alter table public.hints add column mood text;
                    alter table public.partner_vibes rename constraint partner_vibes_vault_id_vibe_tag_key to other;
                    alter policy hints_select_own on public.hints rename to everyone_sees_their_own;
                    create table public.songs (id integer);
                    grant select on public.songs to anon;
                    create view public.all_hints as select 1 as one;
                    """
            )
            let error = try await Self.refusal(session)
            #expect(error == nil, "\(error?.differences ?? [])")
        }
    }

    @Test func `pgvector's own schema makes no difference`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            try await session.run(script: "create schema extensions; create extension vector schema extensions")
            _ = try await Migrator(session, engineVersion: "test").migrate(to: 13)
            try await session.run(script: "drop schema knot cascade")
            let error = try await Self.refusal(session)
            #expect(error == nil, "\(error?.differences ?? [])")
            let migrator = Migrator(session, engineVersion: "test")
            _ = try await migrator.migrate()
            _ = try await migrator.status()
        }
    }

    /// As a hosted server has it, whose defaults give to everybody what is made in public.
    @Test(arguments: ["in schema public ", ""])
    func `no default gives anybody a sequence or a function`(place: String) async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            try await session.run(script: Migrations.bootstrap.sql)
            for kind in ["tables", "sequences", "functions"] {
                try await session.run(
                    script: "alter default privileges \(place)grant all on \(kind) to anon, authenticated"
                )
            }
            let migrator = Migrator(session, engineVersion: "test")
            _ = try await migrator.migrate()
            _ = try await migrator.status()
            let open = try await session.column(
                """
                select c.oid::regclass::text from pg_class c
                where c.relkind = 'S' and c.relnamespace in ('public'::regnamespace, 'knot'::regnamespace)
                    and (
                        has_sequence_privilege('anon', c.oid, 'usage,select,update')
                        or has_sequence_privilege('authenticated', c.oid, 'usage,select,update')
                    )
                union all
                select c.oid::regclass::text from pg_class c
                where c.relkind = 'r' and c.relnamespace = 'knot'::regnamespace
                    and has_table_privilege('authenticated', c.oid, 'select,insert,update,delete,truncate')
                    and has_schema_privilege('authenticated', 'knot', 'usage')
                union all
                select p.oid::regprocedure::text from pg_proc p
                where (p.pronamespace = 'api'::regnamespace or p.prosecdef and p.pronamespace = 'public'::regnamespace)
                    and (
                        has_function_privilege('anon', p.oid, 'execute')
                        or has_function_privilege('authenticated', p.oid, 'execute')
                    )
                """
            )
            #expect(open == [], "a migration revokes what a hosted server gives to everybody")
            try await session.run(script: "set role authenticated")
            let set = "select setval('public.catalogue_items_id_seq', 1)"
            #expect(session.refusal(of: set)?.state == "42501")
        }
    }

    @Test func `a sequence that was set back goes on after the last row`() async throws {
        try await SchemaDatabase.with(isMigrated: false) { database in
            let session = try database.connect()
            let migrator = Migrator(session, engineVersion: "test")
            _ = try await migrator.migrate(to: 29)
            let add =
                "insert into public.catalogue_items (source, candidate_id, provider, type, title, url, currency) "
                + "select 's', gen_random_uuid(), 'amazon', 'gift', 'Map', 'https://a.example', 'USD' "
                + "from generate_series(1, 20)"
            try await session.run(script: "\(add); select setval('public.catalogue_items_id_seq', 1)")
            #expect(session.refusal(of: add)?.state == "23505")
            _ = try await migrator.migrate()
            #expect(session.refusal(of: add) == nil)
        }
    }
}

extension CatalogueEntry {
    /// Its object and definition without its name; a primary key asks the same as another unique one.
    fileprivate var saying: String {
        let isUnique = kind == .key
        return "\(object): " + (isUnique ? definition.replacing("PRIMARY KEY", with: "UNIQUE") : definition)
    }
}

extension ProductionSchema {
    /// The schema of two looks: what both show is required, what one shows is allowed.
    init(_ one: [CatalogueEntry], or other: [CatalogueEntry]) {
        func order(_ entry: CatalogueEntry) -> Int { CatalogueEntry.Kind.allCases.firstIndex(of: entry.kind) ?? 0 }
        let (first, second) = (Set(one), Set(other))
        self.init(
            first.union(second)
                .sorted {
                    (order($0), $0.object, $0.definition, $0.name) < (order($1), $1.object, $1.definition, $1.name)
                }
                .map { ($0, first.contains($0) && second.contains($0)) }
        )
    }

    /// One entry a line.
    var text: String {
        let lines = entries.map { entry, isRequired in
            JSONWriter.text([
                "kind": .string(entry.kind.rawValue), "object": .string(entry.object), "name": .string(entry.name),
                "definition": .string(entry.definition), "required": .bool(isRequired),
            ])
        }
        return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }
}
