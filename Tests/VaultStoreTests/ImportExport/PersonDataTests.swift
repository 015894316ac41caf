import InventedSets
import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("A person's data", .tags(.database)) struct PersonDataTests {
    private static let missing = PostgresUUID(high: 1, low: 2)

    @Test func `a vault that is not there is said to be none`() async throws {
        try await ImportedWorld.with { world in
            let pool = world.pool
            let forget = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await VaultForgetter(pool).forget(Self.missing, until: ImportedWorld.limit)
            }
            let export = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await VaultExporter(pool).everything(Self.missing, until: ImportedWorld.limit)
            }
            let history = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await SetHistory(pool).page(of: Self.missing, limit: 5, until: ImportedWorld.limit)
            }
            #expect([forget?.code, export?.code, history?.code] == [.notThere, .notThere, .notThere])
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `every table with anything of a person is among those that are brought out`(
        version: ServerVersion
    ) async throws {
        try await ImportedWorld.with(version) { world in
            let held = try await world.database.run(
                """
                select distinct c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
                where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
                    and (a.attname in ('vault_id', 'user_id', 'recommendation_id') or c.relname = 'users')
                """
            ).compactMap { $0[0] }
            let known = Set(PersonTable.all.map(\.name))
            let forgotten = held.filter { !known.contains($0) }
            #expect(forgotten.isEmpty, "PersonTable.all does not name \(forgotten), so export leaves them out")
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `everything of one person comes out and nothing of another's`(version: ServerVersion) async throws {
        try await ImportedWorld.with(version) { world in
            try await world.database.run(SchemaSeed.script(people: 1...2))
            let id = try #require(PostgresUUID(SchemaSeed.id(SchemaSeed.vaultKind, of: 1)))
            let document = try await world.exporter.everything(id, until: ImportedWorld.limit)
            for table in PersonTable.all {
                let rows = document["tables"]?[table.name]?.array ?? []
                #expect(!rows.isEmpty, "\(table.name)")
            }
            let text = document.canonical
            #expect(!text.contains("-000000000002"), "another's id")
            #expect(text.contains("likes maps") && text.contains("p1@example.org"))
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `forgetting takes all that hangs on the vault and says how much that was`(version: ServerVersion) async throws
    {
        try await ImportedWorld.with(version) { world in
            try await world.database.run(SchemaSeed.script(people: 1...2))
            let vault = SchemaSeed.id(SchemaSeed.vaultKind, of: 1)
            let id = try #require(PostgresUUID(vault))
            let forgetter = VaultForgetter(world.pool)
            let counted = try await forgetter.forget(id, dryRun: true, until: ImportedWorld.limit)
            #expect(try await world.count("public.partner_vaults") == 2)
            let forgotten = try await forgetter.forget(id, until: ImportedWorld.limit)
            #expect(forgotten == counted)
            #expect(forgotten.removals.count == PersonTable.ofVault.count, "\(forgotten.removals)")
            #expect(forgotten.removals.first { $0.table == "recommendations" }?.count == 3)
            #expect(forgotten.runs.map(\.description) == [SchemaSeed.run(of: 1).id])
            for table in PersonTable.ofVault {
                let rows = try await world.database.run("select t::text from public.\(table.name) t")
                #expect(!rows.isEmpty, "\(table.name)")
                #expect(rows.allSatisfy { !($0[0] ?? "").contains("-000000000001") }, "\(table.name)")
            }
            let again = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await forgetter.forget(id, until: ImportedWorld.limit)
            }
            #expect(again?.code == .notThere)
        }
    }

    @Test func `pages of the history hold every set once, newest first`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = try world.store()
            var stored: [PostgresUUID] = []
            for number in 1...7 {
                stored.append(try await store.store(world.record("r\(number)"), until: ImportedWorld.limit).runID)
            }
            // Sets of one moment are told apart by their ids.
            try await database.run("update public.recommendation_runs set created_at = date_trunc('minute', now())")
            let history = SetHistory(try world.pool())
            var found: [StoredSetSummary] = []
            while true {
                let page = try await history.page(
                    of: world.vault,
                    after: found.last?.runID,
                    limit: 3,
                    until: ImportedWorld.limit
                ).sets
                found += page
                if page.count < 3 { break }
            }
            #expect(found.map(\.runID) == stored.sorted(by: >))
            #expect(found.allSatisfy { $0.choices.array?.count == 3 })
            let result = try await history.result(of: stored[0], until: ImportedWorld.limit)
            let first = try world.record("r1")
            #expect(result?.text == first.result && result?.vault == world.vault)
        }
    }
}
