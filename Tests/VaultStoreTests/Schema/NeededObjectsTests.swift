import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// A database whose history is whole and that is not.
@Suite(.onOwnThreads, .tags(.database)) struct NeededObjectsTests {
    @Test func `what commands need is all that migrations make, but triggers' functions of the app's`() async throws {
        try await SchemaDatabase.with { database in
            let made = try await database.connect().column(
                """
                select 'public.' || c.relname from pg_class c
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
                union
                select n.nspname || '.' || p.proname || '()'
                from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('api', 'knot')
                """
            )
            #expect(Set(MigrationDatabase<MigrationConnection>.needed) == Set(made.compactMap(\.self)))
        }
    }

    @Test(arguments: [
        ("drop table public.learned_weights", "public.learned_weights"),
        ("drop function api.claim_jobs(uuid, integer, integer)", "api.claim_jobs()"),
    ])
    func `what somebody has dropped is named, whoever looks`(change: String, name: String) async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            try await session.run(script: change)
            let migrator = Migrator(session, engineVersion: "test")
            let found = [
                await Self.refusal { try await SchemaCheck.verify(session) },
                await Self.refusal { _ = try await migrator.status() },
                await Self.refusal { _ = try await migrator.migrate() },
            ]
            for error in found { #expect(error?.code == .foreignSchema && error?.what.contains(name) == true) }
        }
    }

    private static func refusal(_ look: () async throws -> Void) async -> MigrationError? {
        do {
            try await look()
            return nil
        } catch {
            return error as? MigrationError
        }
    }

    @Test func `rules that old rows break are named with what mends them`() async throws {
        try await SchemaDatabase.with { database in
            let session = try database.connect()
            let migrator = Migrator(session, engineVersion: "test")
            #expect(try await migrator.notes().isEmpty)
            try await session.run(
                script: "alter table public.hints add constraint short check (char_length(hint_text) < 9) not valid"
            )
            let notes = try await migrator.notes()
            #expect(notes.count == 1 && notes[0].contains("alter table public.hints validate constraint short"))
            // No part is missing: the rule is there and holds for what comes.
            _ = try await migrator.status()
        }
    }
}
