import Foundation
import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("What hangs on a vault when it changes", .tags(.database)) struct ChangedVaultTests {
    private static let moment = Instant(millisecondsSinceEpoch: 1_780_000_000_000)

    /// An imported vault with its milestones as they are shown.
    private static func imported(
        _ stem: String,
        in world: ImportedWorld
    ) async throws -> (id: PostgresUUID, milestones: [JSONValue]) {
        let document = try FixtureDocument(parsing: try ImportedWorld.bytes(stem))
        _ = try await world.importer.add(document, until: ImportedWorld.limit)
        let id = try ImportedWorld.id(document)
        let shown = try await VaultEditor(world.pool).show(id, until: ImportedWorld.limit)
        return (id, shown["milestones"]?.array ?? [])
    }

    private static func milestones(_ vault: PostgresUUID, in world: ImportedWorld) async throws -> [JSONValue] {
        try await VaultEditor(world.pool).show(vault, until: ImportedWorld.limit)["milestones"]?.array ?? []
    }

    @Test func `an edit that names another vault's milestone is refused, and both vaults stay as they are`()
        async throws
    {
        try await ImportedWorld.with { world in
            let (_, theirs) = try await Self.imported("dev-01", in: world)
            let (ours, before) = try await Self.imported("dev-02", in: world)
            let patch = JSONValue.object(JSONObject([.init(name: "milestones", value: .array([theirs[0]]))]))
            let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await VaultEditor(world.pool).edit(ours, by: patch, until: ImportedWorld.limit)
            }
            #expect(error?.code == .invalid && error?.description.contains("another vault's") == true)
            let person = UserID(try FixtureDocument(parsing: try ImportedWorld.bytes("dev-02")).vault.userID.text)
            let keeper = VaultEditor(try world.pool(as: person))
            let hidden = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await keeper.edit(ours, by: patch, until: ImportedWorld.limit)
            }
            #expect(hidden != nil, "what a person cannot see is not theirs to take")
            #expect(try await Self.milestones(ours, in: world) == before)
        }
    }

    @Test func `milestones without ids are those that say the same, and one whose day moved is the one of its name`()
        async throws
    {
        try await ImportedWorld.with { world in
            let (vault, before) = try await Self.imported("dev-01", in: world)
            let nameless = before.map { $0.setting(nil, at: "id").setting(nil, at: "budget_tier") }
            let keeper = VaultEditor(world.pool)
            func edit(_ milestones: [JSONValue]) async throws -> [String] {
                let patch = JSONValue.object(JSONObject([.init(name: "milestones", value: .array(milestones))]))
                return try await keeper.edit(vault, by: patch, until: ImportedWorld.limit)
            }
            let party: JSONValue = ["type": "custom", "name": "A party", "date": "2000-03-04", "recurrence": "yearly"]
            let custom = party.setting("minor_occasion", at: "budget_tier")
            _ = try await edit(nameless + [custom])
            let first = try await Self.milestones(vault, in: world)
            #expect(first.prefix(before.count).map { $0["id"] } == before.map { $0["id"] })
            #expect(try await edit(nameless + [custom]).isEmpty, "the same once more changes nothing")
            _ = try await edit(nameless + [custom.setting("2000-05-06", at: "date")])
            let moved = try await Self.milestones(vault, in: world)
            #expect(moved.map { $0["id"] } == first.map { $0["id"] })
            #expect(moved.last?["date"] == "2000-05-06")
        }
    }

    /// What other programs, or older versions, have stored that no new vault may be.
    private static let oddities = [
        "update public.users set timezone = null",
        "insert into public.partner_interests (vault_id, interest_type, interest_category) select id, 'like', c.name "
            + "from public.partner_vaults, unnest(array['Golf', 'Chess']) c (name)",
        "delete from public.partner_vibes", "update public.hints set hint_text = repeat('a', 4000)",
        "delete from public.partner_budgets where occasion_type = 'just_because'",
    ]

    @Test(arguments: oddities)
    func `an edit asks only about what it changes`(oddity: String) async throws {
        try await ImportedWorld.with { world in
            let (vault, _) = try await Self.imported("dev-01", in: world)
            _ = try await world.database.run(oddity)
            let editor = VaultEditor(world.pool)
            let before = try await editor.show(vault, until: ImportedWorld.limit)
            let patch: JSONValue = ["partner_name": "Another name", "milestones": []]
            #expect(
                try await editor.edit(vault, by: patch, until: ImportedWorld.limit) == ["partner_name", "milestones"]
            )
            let after = try await editor.show(vault, until: ImportedWorld.limit)
            let expected = before.setting("Another name", at: "partner_name").setting([], at: "milestones")
            #expect(after == expected)
            // What it names is looked at, alone and beside the rest.
            let like = try #require(before["dislikes"]?.array?.first)
            let likes = JSONValue.array([like, "Sailing", "Pottery", "Jazz", "Opera"])
            let wrongs: [JSONValue] = [["vibes": []], ["likes": ["Sailing"]], ["likes": likes], ["partner_name": ""]]
            for wrong in wrongs {
                let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                    try await editor.edit(vault, by: wrong, until: ImportedWorld.limit)
                }
                if before["vibes"] == [], wrong["vibes"] != nil { continue }
                #expect(error?.code == .invalid, "\(wrong)")
            }
            #expect(try await editor.show(vault, until: ImportedWorld.limit) == expected)
        }
    }

    @Test func `a vault whose person has told no zone is brought out and in again`() async throws {
        try await ImportedWorld.with { world in
            let (vault, _) = try await Self.imported("dev-01", in: world)
            _ = try await world.database.run("update public.users set timezone = null")
            let out = try await world.exporter.fixture(vault, until: ImportedWorld.limit)
            #expect(out["vault"]?["timezone"] == .null)
            let back = try await world.roundTrip(out)
            #expect(back["vault"] == out["vault"])
            #expect(try await world.count("public.users where timezone is null") == 1)
        }
    }

    @Test func `what was sent stays sent when a vault is replaced, and what waited goes`() async throws {
        try await ImportedWorld.with { world in
            let (vault, milestones) = try await Self.imported("dev-01", in: world)
            let milestone = try #require(milestones[0]["id"]?.string)
            for status in ["sent", "pending"] {
                _ = try await world.database.run(
                    """
                    insert into public.notification_queue (user_id, milestone_id, scheduled_for, days_before, status)
                    select v.user_id, '\(milestone)', now(), 7, '\(status)'
                    from public.partner_vaults v where v.id = '\(vault)'
                    """
                )
            }
            let other = try ImportedWorld.value("dev-01").setting("Somebody else", at: "vault.partner_name")
            let document = try FixtureDocument(parsing: JSONWriter.bytes(other))
            _ = try await world.importer.add(document, replaces: true, until: ImportedWorld.limit)
            let kept = try await world.database.run("select milestone_id::text, status from public.notification_queue")
            #expect(kept == [[milestone, "sent"]])
            let person = UserID(document.vault.userID.text)
            let again = try NewVault(reading: other)
            let theirs = VaultEditor(try world.pool(as: person))
            _ = try await theirs.create(again, replaces: true, until: ImportedWorld.limit)
            #expect(try await world.count("public.notification_queue where status = 'sent'") == 1)
        }
    }

    @Test func `a file asks for no milestone that its vault has no more`() async throws {
        try await ImportedWorld.with { world in
            let (vault, _) = try await Self.imported("dev-01", in: world)
            let patch: JSONValue = ["milestones": []]
            _ = try await VaultEditor(world.pool).edit(vault, by: patch, until: ImportedWorld.limit)
            let file = try await world.exporter.fixture(vault, until: ImportedWorld.limit)
            #expect(file["request"] == ["occasion": "just_because"])
            _ = try FixtureDocument(parsing: JSONWriter.bytes(file))
        }
    }

    @Test func `what is said again after its hint was edited is a hint of its own, and blanks say nothing`()
        async throws
    {
        try await ImportedWorld.with { world in
            let (vault, _) = try await Self.imported("dev-01", in: world)
            let keeper = VaultEditor(world.pool)
            func add(_ text: String) async throws -> AddedHints {
                try await keeper.addHints([text], to: vault, at: Self.moment, until: ImportedWorld.limit)
            }
            let first = try await add("wants a telescope")
            #expect(try await add("  wants a telescope\t") == AddedHints(ids: first.ids, newCount: 0))
            try await keeper.edit(
                hint: first.ids[0],
                of: vault,
                to: " wants binoculars, no telescope ",
                until: ImportedWorld.limit
            )
            let again = try await add("wants a telescope")
            #expect(again.newCount == 1 && again.ids != first.ids)
            #expect(try await add("wants a telescope") == AddedHints(ids: again.ids, newCount: 0))
            let hints = try await keeper.hints(of: vault, until: ImportedWorld.limit).hints
            let texts = hints.filter { (first.ids + again.ids).contains($0.id) }.map(\.text)
            #expect(Set(texts) == ["wants binoculars, no telescope", "wants a telescope"])
        }
    }

    @Test func `two that replace a vault at once take turns`() async throws {
        try await ImportedWorld.with { world in
            let (_, _) = try await Self.imported("dev-01", in: world)
            let new = try NewVault(reading: try ImportedWorld.value("dev-01"))
            let keeper = VaultEditor(world.pool)
            for _ in 0..<5 {
                async let one = keeper.create(new, replaces: true, until: ImportedWorld.limit)
                async let two = keeper.create(new, replaces: true, until: ImportedWorld.limit)
                let both = try await [one, two]
                #expect(both.map(\.isNew) == [true, true])
            }
        }
    }
}
