import ChoiceText
import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import VaultForm

/// A vault that somebody writes down is held to its fields and to names that exist, with the nearest one that does.
@Suite struct `A written vault` {
    private func problems(_ change: (inout JSONObject) -> Void) throws -> [String] {
        let path = Repository.root.appendingPathComponent("fixtures/vaults/dev-01.json").path
        var vault = try #require(try InputFile.readJSON(path)["vault"]?.object)
        change(&vault)
        return VaultChecks.problems(in: .object(vault)).map { "\($0.path) \($0.message)" }
    }

    @Test func `of this repository is fine, whole or alone`() throws {
        for folder in ["fixtures/vaults", "fixtures/vaults-apart"] {
            let place = Repository.root.appendingPathComponent(folder).path
            for name in try FileManager.default.contentsOfDirectory(atPath: place) where name.hasSuffix(".json") {
                let document = try InputFile.readJSON("\(place)/\(name)")
                guard let vault = document["vault"] else { continue }
                #expect(VaultChecks.problems(in: document).isEmpty, "\(name)")
                #expect(VaultChecks.problems(in: vault).isEmpty, "\(name)")
            }
        }
        #expect(VaultChecks.problems(in: VaultTemplate.json).isEmpty)
    }

    @Test(arguments: [
        ("hintz", "hints"), ("partnername", "partner_name"), ("time_zone", "timezone"), ("dislike", "dislikes"),
        ("mile_stones", "milestones"), ("love_language", "love_languages"),
    ])
    func `with a field that nobody reads is told the nearest one`(typed: String, meant: String) throws {
        let found = try problems { $0[typed] = [] }
        #expect(found == ["$.\(typed) is not a known member; did you mean \(meant)?"])
    }

    @Test func `is held to its fields at every depth`() throws {
        let found = try problems { vault in
            vault["location"] = ["town": "Macon", "country": "US"]
            vault["budgets"] = ["just_because": ["min_cents": 1, "max_cents": 2, "currency": "USD", "max": 2]]
            vault["hints"] = [["text": "x", "when": "now"]]
            vault["history"] = [["title": "x", "feedback": [["action": "rated", "stars": 5]]]]
        }
        let paths = found.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(
            paths == [
                "$.location.town", "$.hints[0].when", "$.history[0].feedback[0].stars", "$.budgets.just_because.max",
            ]
        )
    }

    @Test func `has names that are read as they were written, neither cut nor cleaned`() throws {
        let found = try problems { vault in
            vault["partner_name"] = .string(String(repeating: "n", count: 201))
            vault["location"] = ["city": "Ma\u{1B}[31mcon", "country": "US"]
            vault["likes"] = ["Tea", .string(String(repeating: "t", count: 101))]
            vault["milestones"] = [["name": "Their\u{0}day"], ["name": .string(String(repeating: "d", count: 200))]]
        }
        #expect(
            found == [
                "$.partner_name is longer than 200 bytes", "$.location.city has a control character (U+1B)",
                "$.milestones[0].name has a control character (U+0)", "$.likes[1] is longer than 100 bytes",
            ]
        )
    }

    @Test func `is held to zones, currencies and countries that exist`() throws {
        let found = try problems { vault in
            vault["timezone"] = "Mars/Base"
            vault["location"] = ["city": "Macon", "country": "QQ"]
            vault["budgets"] = ["just_because": ["min_cents": 1, "max_cents": 2, "currency": "BTC"]]
        }
        #expect(found.count == 3)
        #expect(found.contains { $0.contains("$.timezone") && $0.contains("Mars/Base") })
        #expect(found.contains { $0.contains("$.budgets.just_because.currency") && $0.contains("did you mean") })
        #expect(found.contains { $0.contains("$.location.country") })
        #expect(try problems { $0["timezone"] = "Europe/Pariss" }.first?.contains("did you mean Europe/Paris?") == true)
    }

    @Test func `is shown with the days of its own zone, as the reasons name them`() {
        let vault: JSONValue = [
            "timezone": "America/New_York", "hints": [["text": "figs", "created_at": "2026-04-27T01:30:00Z"]],
        ]
        #expect(VaultText.lines(vault, width: 80).contains { $0.contains("2026-04-26") && $0.contains("figs") })
    }
}
