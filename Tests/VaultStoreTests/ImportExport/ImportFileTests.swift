import Fixtures
import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

/// An imported file is kept as it was, and no longer than its vault says what it says.
@Suite("The file of an import", .tags(.database)) struct ImportFileTests {
    /// A vault imported from a fixture, and its id.
    static func imported(
        _ world: ImportedWorld,
        _ stem: String = "dev-01"
    ) async throws -> (document: FixtureDocument, id: PostgresUUID) {
        let document = try FixtureDocument(parsing: ImportedWorld.bytes(stem))
        _ = try await world.importer.add(document, until: ImportedWorld.limit)
        return (document, try ImportedWorld.id(document))
    }

    /// Every way to take something back that a file says, whoever goes it.
    private static let changes = [
        "update public.hints set hint_text = 'nothing any more' where id = (select id from public.hints limit 1)",
        "delete from public.hints where id = (select id from public.hints limit 1)",
        "update public.partner_vaults set partner_name = 'Somebody'",
        "update public.partner_vaults set location_city = 'Lyon'",
        "update public.partner_interests set interest_category = 'Aa' where id = (select id from public.partner_interests limit 1)",
        "delete from public.partner_interests where id = (select id from public.partner_interests limit 1)",
        "update public.partner_milestones set milestone_name = 'x' where id = (select id from public.partner_milestones limit 1)",
        "delete from public.partner_milestones where id = (select id from public.partner_milestones limit 1)",
        "delete from public.partner_vibes where id = (select id from public.partner_vibes limit 1)",
        "delete from public.recommendations where id = (select id from public.recommendations limit 1)",
    ]

    @Test(arguments: ServerVersion.serving)
    func `goes with whatever is taken back of what it says`(version: ServerVersion) async throws {
        try await ImportedWorld.with(version) { world in
            let (document, id) = try await Self.imported(world)
            let pool = try world.pool(as: document.vault.userID)
            for change in Self.changes {
                _ = try await world.importer.add(document, replaces: true, until: ImportedWorld.limit)
                #expect(try await world.count("public.vault_import_files") == 1)
                try await world.database.run(change)
                #expect(try await world.count("public.vault_import_files") == 0, "\(change)")
            }
            let hint = try #require(document.vault.hints.first)
            let hintID = try #require(PostgresUUID(hint.id.text))
            _ = try await world.importer.add(document, replaces: true, until: ImportedWorld.limit)
            try await VaultEditor(pool).edit(hint: hintID, of: id, to: "else now", until: ImportedWorld.limit)
            #expect(try await world.count("public.vault_import_files") == 0, "the person's own edit")
            let exported = try await world.exporter.fixture(id, until: ImportedWorld.limit).canonical
            #expect(exported.contains("else now") && !exported.contains(hint.text))
        }
    }

    @Test func `stays with its own vault, whatever another says`() async throws {
        try await ImportedWorld.with { world in
            let (_, first) = try await Self.imported(world)
            let (_, second) = try await Self.imported(world, "dev-02")
            try await world.database.run("update public.hints set hint_text = 'x' where vault_id = '\(first)'")
            let left = try await world.database.run("select vault_id::text from public.vault_import_files")
            #expect(left == [[second.description]])
            _ = try await VaultForgetter(world.pool).forget(second, until: ImportedWorld.limit)
            #expect(try await world.count("public.vault_import_files") == 0)
        }
    }

    @Test func `is given back only while the rows say what they said then`() async throws {
        try await ImportedWorld.with { world in
            let value = try ImportedWorld.value("dev-01").setting(["a": 1], at: "own")
            let document = try FixtureDocument(parsing: JSONWriter.bytes(value))
            _ = try await world.importer.add(document, until: ImportedWorld.limit)
            let id = try ImportedWorld.id(document)
            try await world.database.run("update public.hints set is_used = not is_used")
            let changed = try await world.exporter.fixture(id, until: ImportedWorld.limit)
            #expect(changed["own"] == nil && changed.canonical != value.canonical)
            try await world.database.run("update public.hints set is_used = not is_used")
            let again = try await world.exporter.fixture(id, until: ImportedWorld.limit)
            #expect(again.canonical == value.canonical)
        }
    }

    @Test func `that an earlier program did not keep is written anew, and means the same`() async throws {
        try await ImportedWorld.with { world in
            for stem in ["dev-01", "dev-09", "dev-17"] {
                let (document, id) = try await Self.imported(world, stem)
                try await world.database.run("delete from public.vault_import_files")
                let exported = try await world.exporter.fixture(id, until: ImportedWorld.limit)
                let again = try FixtureDocument(parsing: JSONWriter.bytes(exported))
                #expect(again.vault == document.vault && again.name == document.name && again.asOf == document.asOf)
                #expect(again.candidates.map(\.offer) == document.candidates.map(\.offer))
                #expect(exported["judgments"] == document.original["judgments"])
                #expect(exported["request"] == document.original["request"])
            }
        }
    }
}
