import Foundation
import InventedSets
import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import Learning
@testable import VaultStore

/// Another vault's row under the id that the content of one of ours makes.
@Suite("A name that another vault has taken", .tags(.database)) struct TakenNameTests {
    private static let ana = UserID("aaaaaaaa-0000-4000-8000-000000000001")
    private static let bob = "bbbbbbbb-0000-4000-8000-000000000002"
    private static let bobsVault = "bbbbbbbb-0000-4000-8000-0000000000b2"
    private static let moment = Instant(millisecondsSinceEpoch: 1_780_000_000_000)

    /// Whose rights hold: the person's, or those of the schema's owner.
    private static let rights = [true, false]

    private static func written() throws -> JSONValue {
        var vault = try ImportedWorld.value("dev-01")["vault"]?.object ?? JSONObject()
        vault["id"] = nil
        vault["user_id"] = nil
        for name in ["milestones", "hints"] {
            vault[name] = .array((vault[name]?.array ?? []).map { $0.setting(nil, at: "id") })
        }
        return .object(vault)
    }

    private static func editor(_ world: ImportedWorld, _ isPerson: Bool) throws -> VaultEditor {
        VaultEditor(isPerson ? try world.pool(as: ana) : world.pool)
    }

    /// A vault of Bob's, for rows under ids of others.
    private static func settleBob(_ world: ImportedWorld, under vault: String = bobsVault) async throws {
        try await world.database.run(
            """
            insert into auth.users (id) values ('\(bob)') on conflict do nothing;
            delete from public.partner_vaults where user_id = '\(bob)';
            insert into public.partner_vaults (id, user_id, partner_name) values ('\(vault)', '\(bob)', 'Bo')
            """
        )
    }

    private static func squat(_ world: ImportedWorld, hint id: PostgresUUID) async throws {
        try await world.database.run(
            """
            insert into public.hints (id, vault_id, hint_text, source)
            values ('\(id)', '\(bobsVault)', 'mine', 'text_input')
            """
        )
    }

    private static func squat(_ world: ImportedWorld, milestone id: PostgresUUID) async throws {
        try await world.database.run(
            """
            insert into public.partner_milestones
                (id, vault_id, milestone_type, milestone_name, milestone_date, recurrence)
            values ('\(id)', '\(bobsVault)', 'birthday', 'Bo', '2000-01-02', 'yearly')
            """
        )
    }

    private static func squat(_ world: ImportedWorld, history vault: PostgresUUID) async throws {
        try await world.database.run(
            """
            insert into public.recommendations (id, vault_id, recommendation_type, title)
            values ('\(PostgresUUID(of: "history:\(vault):0"))', '\(bobsVault)', 'gift', 'Mine')
            """
        )
    }

    @Test(arguments: rights) func `keeps no hint out, nor stores it twice`(isPerson: Bool) async throws {
        try await ImportedWorld.with { world in
            let keeper = try Self.editor(world, isPerson)
            let id = try await keeper.create(
                NewVault(reading: Self.written(), user: Self.ana),
                until: ImportedWorld.limit
            ).id
            try await Self.settleBob(world)
            let texts = ["wants a map", "hates mornings", "wants a map"]
            let source = NewHint.Source(vault: id, source: .textInput, request: "r")
            let names = NewHint.list(texts, from: source).map(\.id)
            for name in names.prefix(2) { try await Self.squat(world, hint: name) }
            func add() async throws -> AddedHints {
                try await keeper.addHints(texts, request: "r", to: id, at: Self.moment, until: ImportedWorld.limit)
            }
            let first = try await add()
            #expect(first.newCount == 3 && Set(first.ids).count == 3)
            #expect(first.ids[2] == names[2] && !names.prefix(2).contains(first.ids[0]))
            #expect(try await add() == AddedHints(ids: first.ids, newCount: 0))
            try await world.database.run("delete from public.hints where vault_id = '\(Self.bobsVault)'")
            #expect(try await add() == AddedHints(ids: first.ids, newCount: 0), "whatever becomes of the other row")
            let kept = try await keeper.hints(of: id, until: ImportedWorld.limit).hints.map(\.text)
            #expect(kept.suffix(3) == texts[...])
        }
    }

    @Test func `is no hint's of two callers at the same moment`() async throws {
        try await ImportedWorld.with { world in
            let keeper = VaultEditor(world.pool)
            let id = try await keeper.create(
                NewVault(reading: Self.written(), user: Self.ana),
                until: ImportedWorld.limit
            ).id
            for round in 0..<10 {
                let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await keeper.addHints(
                                ["note \(round)"],
                                to: id,
                                at: Self.moment,
                                until: ImportedWorld.limit
                            ).newCount
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(counts.reduce(0, +) == 1)
            }
        }
    }

    @Test(arguments: rights) func `keeps no vault out, nor what it holds`(isPerson: Bool) async throws {
        try await ImportedWorld.with { world in
            let keeper = try Self.editor(world, isPerson)
            let new = try NewVault(reading: Self.written(), user: Self.ana)
            let name = try #require(PostgresUUID(new.vault.id.text))
            try await Self.settleBob(world)
            try await Self.squat(world, hint: try #require(PostgresUUID(new.vault.hints[0].id.text)))
            try await Self.squat(world, milestone: try #require(PostgresUUID(new.vault.milestones[0].id.text)))
            try await Self.squat(world, history: name)
            let first = try await keeper.create(new, until: ImportedWorld.limit)
            #expect(first == CreatedVault(id: name, isNew: true))
            #expect(try await keeper.create(new, until: ImportedWorld.limit) == CreatedVault(id: name, isNew: false))
            let shown = try await keeper.show(name, until: ImportedWorld.limit)
            #expect(shown["hints"]?.array?.count == new.vault.hints.count)
            #expect(shown["milestones"]?.array?.count == new.vault.milestones.count)
            #expect(shown["history"]?.array?.count == new.vault.history.count && !new.vault.history.isEmpty)
            #expect(shown["history"] == new.original["history"])
        }
    }

    @Test(arguments: rights) func `keeps a vault from its id, and makes it no other person's`(
        isPerson: Bool
    ) async throws {
        try await ImportedWorld.with { world in
            let keeper = try Self.editor(world, isPerson)
            let new = try NewVault(reading: Self.written(), user: Self.ana)
            try await Self.settleBob(world, under: new.vault.id.text)
            let first = try await keeper.create(new, until: ImportedWorld.limit)
            #expect(first.isNew && first.id.description != new.vault.id.text)
            let again = CreatedVault(id: first.id, isNew: false)
            #expect(try await keeper.create(new, until: ImportedWorld.limit) == again)
            #expect(try await keeper.create(new, replaces: true, until: ImportedWorld.limit) == first)
            #expect(try await keeper.show(first.id, until: ImportedWorld.limit)["user_id"]?.string == Self.ana.text)
            try await world.database.run("delete from public.partner_vaults where user_id = '\(Self.bob)'")
            #expect(try await keeper.create(new, until: ImportedWorld.limit) == again)
        }
    }

    @Test(arguments: rights) func `keeps no new day out`(isPerson: Bool) async throws {
        try await ImportedWorld.with { world in
            let keeper = try Self.editor(world, isPerson)
            let id = try await keeper.create(
                NewVault(reading: Self.written(), user: Self.ana),
                until: ImportedWorld.limit
            ).id
            try await Self.settleBob(world)
            let party: JSONValue = [
                "type": "custom", "name": "A party", "date": "2000-03-04", "recurrence": "yearly",
                "budget_tier": "minor_occasion",
            ]
            let before = try await keeper.show(id, until: ImportedWorld.limit)["milestones"]?.array ?? []
            let name: JSONValue = ["milestone", .string(id.description), party, 0]
            try await Self.squat(world, milestone: PostgresUUID(naming: name))
            let patch = JSONValue.object(JSONObject([.init(name: "milestones", value: .array(before + [party]))]))
            #expect(try await keeper.edit(id, by: patch, until: ImportedWorld.limit) == ["milestones"])
            #expect(try await keeper.edit(id, by: patch, until: ImportedWorld.limit) == [])
            let after = try await keeper.show(id, until: ImportedWorld.limit)["milestones"]?.array ?? []
            #expect(Array(after.prefix(before.count)) == before)
            #expect(after.count == before.count + 1 && after.last?["name"] == "A party")
        }
    }

    @Test func `keeps no import out`() async throws {
        try await ImportedWorld.with { world in
            let document = try FixtureDocument(parsing: try ImportedWorld.bytes("dev-01"))
            try await Self.settleBob(world)
            try await Self.squat(world, history: try ImportedWorld.id(document))
            #expect(try await world.importer.add(document, until: ImportedWorld.limit).change == .added)
            #expect(try await world.importer.add(document, until: ImportedWorld.limit).change == .unchanged)
            let again = try await world.importer.add(document, replaces: true, until: ImportedWorld.limit)
            #expect(again.change == .replaced)
            let shown = try await world.exporter.fixture(ImportedWorld.id(document), until: ImportedWorld.limit)
            #expect(shown.canonical == document.original.canonical)
        }
    }

    @Test(arguments: [nil, "r"], rights)
    func `keeps no feedback out, nor stores it twice`(request: String?, isPerson: Bool) async throws {
        try await ImportedWorld.with { world in
            let document = try FixtureDocument(parsing: try ImportedWorld.bytes("dev-01"))
            _ = try await world.importer.add(document, until: ImportedWorld.limit)
            let vault = try ImportedWorld.id(document)
            let record = try InventedSet.record(vault: document.vault.id, request: "a")
            let stored = await ChoiceStore(world.pool).store(all: [PendingSet(record)], each: .seconds(60))
            let run = try stored[0].get().runID
            let choice = try #require(
                try await world.database.run(
                    "select id from public.recommendations where run_id = '\(run)' and position = 1"
                )[0][0]
            )
            let name = PostgresUUID(
                of: request.map { "feedback:request:\(vault):\($0)" } ?? "feedback:word:\(choice):liked"
            )
            try await Self.settleBob(world)
            try await world.database.run(
                """
                insert into public.recommendations (vault_id, recommendation_type, title)
                    values ('\(Self.bobsVault)', 'gift', 'Mine');
                insert into public.recommendation_feedback (id, recommendation_id, user_id, action, rating)
                    select '\(name)', r.id, '\(Self.bob)', 'rated', 5 from public.recommendations r
                    where r.vault_id = '\(Self.bobsVault)'
                """
            )
            let user = UserID(document.vault.userID.text)
            let store = FeedbackStore(isPerson ? try world.pool(as: user) : world.pool)
            func give() async throws -> FeedbackStore.Receipt {
                try await store.give(
                    .liked,
                    run: run,
                    position: 1,
                    request: request,
                    at: Self.moment,
                    until: ImportedWorld.limit
                )
            }
            let first = try await give()
            #expect(first.isNew && first.id != name)
            let again = try await give()
            #expect(!again.isNew && again.id == first.id)
            #expect(try await world.count("public.recommendation_feedback where recommendation_id = '\(choice)'") == 1)
        }
    }
}
