import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("Keeping a vault of one's own", .tags(.database)) struct VaultEditorTests {
    private static let ana = UserID("aaaaaaaa-0000-4000-8000-000000000001")
    private static let bob = UserID("bbbbbbbb-0000-4000-8000-000000000002")

    private static func written() throws -> JSONValue {
        var vault = try ImportedWorld.value("dev-01")["vault"]?.object ?? JSONObject()
        vault["id"] = nil
        vault["user_id"] = nil
        return .object(vault)
    }

    @Test func `flaws are told with their places`() throws {
        let value = try Self.written().setting(["Art"], at: "likes").setting("x", at: "love_languages.primary")
        do throws(VaultStoreError) {
            _ = try NewVault(reading: value)
            Issue.record("it was taken")
        } catch {
            #expect(error.problems.map(\.path).contains("$.love_languages.primary"))
        }
        #expect(throws: VaultStoreError.self) { try NewVault(reading: Self.written().setting(["Art"], at: "likes")) }
        #expect(throws: VaultStoreError.self) { try NewVault(reading: "nothing") }
    }

    /// A vault of so many yearly milestones.
    private static func busy(_ count: Int) throws -> JSONValue {
        let days = (0..<count).map { number -> JSONValue in
            [
                "type": "custom", "name": .string("Day \(number)"), "date": "2000-05-16", "recurrence": "yearly",
                "budget_tier": "minor_occasion",
            ]
        }
        return try written().setting(.array(days), at: "milestones")
    }

    @Test func `a vault has so many milestones at most, and one that has more is read, edited and only made shorter`()
        async throws
    {
        _ = try NewVault(reading: Self.busy(256))
        let refused = await ImportedWorld.refusal { () async throws(VaultStoreError) in
            try NewVault(reading: (try? Self.busy(257)) ?? .null)
        }
        #expect(refused?.problems.map(\.path) == ["$.milestones"])
        #expect(refused?.problems.first?.message.contains("256 are the most: remove 1") == true)
        try await ImportedWorld.with { world in
            let fixture = try ImportedWorld.value("dev-01")
            let vault = try FixtureDocument(parsing: JSONWriter.bytes(fixture)).vault
            let named = try Self.busy(700)["milestones"]?.array?.enumerated().map { number, day in
                day.setting(.string(PostgresUUID(naming: [.integer(number)]).description), at: "id")
            }
            let whole = fixture.setting(.array(named ?? []), at: "vault.milestones").setting(nil, at: "request")
            _ = try await world.importer.add(
                FixtureDocument(parsing: JSONWriter.bytes(whole)),
                until: ImportedWorld.limit
            )
            let id = try #require(PostgresUUID(vault.id.text))
            let keeper = VaultEditor(try world.pool(as: vault.userID))
            let shown = try await keeper.show(id, until: ImportedWorld.limit)
            let days = try #require(shown["milestones"]?.array)
            #expect(days.count == 700)
            #expect(
                try await keeper.edit(id, by: ["partner_name": "Mo"], until: ImportedWorld.limit) == ["partner_name"]
            )
            let more = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                let another = days[0].setting(nil, at: "id").setting("Another", at: "name")
                return try await keeper.edit(
                    id,
                    by: ["milestones": .array(days + [another])],
                    until: ImportedWorld.limit
                )
            }
            #expect(more?.problems.map(\.path) == ["$.milestones"])
            let fewer: JSONValue = ["milestones": .array(Array(days.dropLast()))]
            #expect(try await keeper.edit(id, by: fewer, until: ImportedWorld.limit) == ["milestones"])
            #expect(try await world.count("public.partner_milestones") == 699)
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `a person makes a vault, adds a hint and looks at it, and another sees nothing`(
        version: ServerVersion
    ) async throws {
        try await ImportedWorld.with(version) { world in
            let keeper = VaultEditor(try world.pool(as: Self.ana))
            let id = try await keeper.create(
                NewVault(reading: Self.written(), user: Self.ana),
                until: ImportedWorld.limit
            ).id
            let moment = try #require(Instant(iso8601: "2026-06-01T10:00:00Z"))
            let hint = try await keeper.addHints(["She wants a map"], to: id, at: moment, until: ImportedWorld.limit)
                .ids[
                    0
                ]
            let shown = try await keeper.show(id, until: ImportedWorld.limit)
            #expect(shown["user_id"]?.string == Self.ana.text)
            let texts = shown["hints"]?.array?.compactMap { $0["text"]?.string } ?? []
            #expect(texts.last == "She wants a map")
            #expect(shown.canonical.contains(hint.description))
            let stranger = VaultEditor(try world.pool(as: Self.bob))
            let seen = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await stranger.show(id, until: ImportedWorld.limit)
            }
            let written = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await stranger.addHints(["mine"], to: id, at: moment, until: ImportedWorld.limit)
            }
            #expect(seen?.code == .notThere && written?.code == .notThere)
            let again = try NewVault(reading: Self.written(), user: Self.ana)
            #expect(
                try await keeper.create(again, until: ImportedWorld.limit) == CreatedVault(id: id, isNew: false),
                "the same words are the same vault"
            )
            var different = try Self.written().object ?? JSONObject()
            different["partner_name"] = "Somebody else"
            let other = try NewVault(reading: .object(different), user: Self.ana)
            let second = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await keeper.create(other, until: ImportedWorld.limit)
            }
            #expect(second?.code == .personHasVault)
        }
    }

    @Test func `a vault under the same id is replaced where that is asked for, and by its own person alone`()
        async throws
    {
        try await ImportedWorld.with { world in
            let keeper = VaultEditor(try world.pool(as: Self.ana))
            let first = try NewVault(reading: Self.written(), user: Self.ana)
            let id = try await keeper.create(first, until: ImportedWorld.limit).id
            var changed = try Self.written().object ?? JSONObject()
            changed["id"] = .string(id.description)
            changed["partner_name"] = "Another name"
            let again = try NewVault(reading: .object(changed), user: Self.ana)
            let refused = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await keeper.create(again, until: ImportedWorld.limit)
            }
            #expect(refused?.code == .vaultThere)
            let theirs = try NewVault(reading: .object(changed), user: Self.bob)
            let bobs = VaultEditor(try world.pool(as: Self.bob))
            let stranger = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                try await bobs.create(theirs, replaces: true, until: ImportedWorld.limit)
            }
            #expect(stranger != nil)
            #expect(try await keeper.show(id, until: ImportedWorld.limit)["partner_name"] != "Another name")
            #expect(try await keeper.create(again, replaces: true, until: ImportedWorld.limit).id == id)
            #expect(try await keeper.show(id, until: ImportedWorld.limit)["partner_name"] == "Another name")
        }
    }

    @Test func `a hint that is blank or too long is refused with its place`() async throws {
        try await ImportedWorld.with { world in
            let keeper = VaultEditor(world.pool)
            for text in ["", "  \u{200B} ", String(repeating: "ä", count: 501)] {
                let error = await ImportedWorld.refusal { () async throws(VaultStoreError) in
                    try await keeper.addHints(
                        [text],
                        to: PostgresUUID(high: 1, low: 1),
                        at: Instant(millisecondsSinceEpoch: 0),
                        until: ImportedWorld.limit
                    )
                }
                #expect(error?.code == .invalid)
                #expect(error?.problems.map(\.path) == ["$.text"])
            }
        }
    }

    @Test func `hints that are added together keep their order, and the last is of the moment`() async throws {
        try await ImportedWorld.with(.eighteen) { world in
            let keeper = VaultEditor(try world.pool(as: Self.ana))
            let id = try await keeper.create(
                NewVault(reading: Self.written(), user: Self.ana),
                until: ImportedWorld.limit
            ).id
            let moment = try #require(Instant(iso8601: "2030-06-01T10:00:00Z"))
            let texts = (1...12).map { "note \($0 * 7 % 13)" }
            let added = try await keeper.addHints(texts, to: id, at: moment, until: ImportedWorld.limit)
            let kept = try await keeper.hints(of: id, until: ImportedWorld.limit).hints.suffix(texts.count)
            #expect(kept.map(\.id) == added.ids && kept.map(\.text) == texts)
            let moments = kept.compactMap(\.createdAt)
            #expect(zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 } && moments.last == moment)
        }
    }
}
