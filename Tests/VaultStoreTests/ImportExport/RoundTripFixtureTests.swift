import Fixtures
import JSONDocument
import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import VaultStore

@Suite("A fixture in and out again", .tags(.database)) struct RoundTripFixtureTests {
    @Test(arguments: ServerVersion.serving)
    func `every fixture comes out as it went in`(version: ServerVersion) async throws {
        try await ImportedWorld.with(version) { world in
            for stem in ImportedWorld.stems {
                let value = try ImportedWorld.value(stem)
                let back = try await world.roundTrip(value)
                #expect(back.canonical == value.canonical, "\(stem)")
            }
        }
    }

    private static let spellings: [(path: String, value: JSONValue?)] = [
        ("story", nil), ("story", .null), ("as_of", nil), ("as_of", "2026-05-05T10:00:00.123456-04:00"),
        ("request", nil), ("candidates", nil), ("candidates", []), ("judgments", nil), ("own", ["a": [1, 2.5, nil]]),
        ("vault.id", "9AAB66C8-6461-4523-93B3-2600F073736B"), ("vault.relationship_tenure_months", nil),
        ("vault.cohabitation_status", .null), ("vault.location", nil), ("vault.location", .null),
        ("vault.location", ["city": nil, "state": nil, "country": nil]), ("vault.location.country", "us"),
        ("vault.location.state", ""), ("vault.location.state", nil), ("vault.partner_name", "  D.\tö  "),
        ("vault.milestones", nil), ("vault.milestones", []), ("vault.hints", nil), ("vault.history", .null),
        ("vault.history", nil), ("vault.budgets.just_because.currency", "usd"), ("vault.note", "kept"),
        ("vault.hints.0.text", "two\nlines \u{200B}and ' \\ \" {"),
        ("vault.hints.0.created_at", "2026-01-02T03:04:05+01:00"),
        ("vault.hints.0.is_used", nil), ("vault.hints.0.is_used", true), ("vault.hints.0.mood", "glad"),
        ("vault.hints.0.id", "ABCDEF00-0000-4000-8000-00000000000F"),
        ("name", .string(String(repeating: "long ", count: 60))),
    ]

    @Test func `whatever way a fixture writes its fields, they come out that way`() async throws {
        try await ImportedWorld.with { world in
            // The request must not name a milestone that a case takes away.
            let value = try ImportedWorld.value("dev-01").setting(["occasion": "just_because"], at: "request")
            for (path, spelled) in Self.spellings {
                let written = value.setting(spelled, at: path)
                let back = try await world.roundTrip(written)
                #expect(back.canonical == written.canonical, "\(path)")
            }
        }
    }

    @Test(arguments: [1, 2, 3])
    func `lists in any order keep it, and texts of any characters keep them`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await ImportedWorld.with { world in
            for stem in ["dev-02", "dev-09", "dev-17"] {
                var value = try ImportedWorld.value(stem).setting(["occasion": "just_because"], at: "request")
                for list in ["likes", "dislikes", "vibes", "milestones", "hints", "history"] {
                    let items = value["vault"]?[list]?.array ?? []
                    value = value.setting(.array(items.shuffled(using: &random)), at: "vault.\(list)")
                }
                for (place, _) in (value["vault"]?["hints"]?.array ?? []).enumerated() {
                    value = value.setting(.string("x" + random.text()), at: "vault.hints.\(place).text")
                }
                let candidates = value["candidates"]?.array ?? []
                let doubled = candidates + [candidates[0], candidates[3]]
                value = value.setting(.array(doubled.shuffled(using: &random)), at: "candidates")
                let back = try await world.roundTrip(value)
                #expect(back.canonical == value.canonical, "seed \(seed), \(stem)")
            }
        }
    }

    @Test func `the zero character is in the file and in no row`() async throws {
        try await ImportedWorld.with { world in
            let value = try ImportedWorld.value("dev-01").setting("she\0 likes maps", at: "vault.hints.0.text")
            let back = try await world.roundTrip(value)
            #expect(back.canonical == value.canonical)
            try await world.database.run("delete from public.vault_import_files")
            let id = try #require(PostgresUUID(value["vault"]?["id"]?.string ?? ""))
            let rows = try await world.exporter.fixture(id, until: ImportedWorld.limit)
            #expect(rows["vault"]?["hints"]?.array?[0]["text"]?.string == "she likes maps")
        }
    }

    @Test func `what the app changed since comes out changed`() async throws {
        try await ImportedWorld.with { world in
            let value = try ImportedWorld.value("dev-01")
                .setting("2026-01-02T03:04:05+01:00", at: "vault.hints.0.created_at")
            _ = try await world.roundTrip(value)
            let gone = value["vault"]?["hints"]?.array?[1]["id"]?.string ?? ""
            let first = value["vault"]?["hints"]?.array?[0]["id"]?.string ?? ""
            try await world.database.run("delete from public.hints where id = '\(gone)'")
            try await world.database.run(
                "update public.hints set created_at = '2026-02-01Z', is_used = true where id = '\(first)'"
            )
            let id = try #require(PostgresUUID(value["vault"]?["id"]?.string ?? ""))
            let back = try await world.exporter.fixture(id, until: ImportedWorld.limit)
            let hints = back["vault"]?["hints"]?.array ?? []
            #expect(hints.count == (value["vault"]?["hints"]?.array?.count ?? 0) - 1)
            #expect(!back.canonical.contains(gone))
            let hint = hints.first { $0["id"]?.string == first }
            #expect(hint?["created_at"]?.string == "2026-02-01T00:00:00Z")
            #expect(hint?["is_used"]?.bool == true)
        }
    }

    @Test func `nothing of a hint is kept where deleting its row does not reach`() async throws {
        try await ImportedWorld.with { world in
            let value = try ImportedWorld.value("dev-01")
            _ = try await world.roundTrip(value)
            let texts = (value["vault"]?["hints"]?.array ?? []).compactMap { $0["text"]?.string }
            let kept = try await world.database.run("select t::text from public.vault_imports t")[0][0] ?? ""
            #expect(!texts.isEmpty && texts.allSatisfy { !kept.contains($0) })
        }
    }
}
