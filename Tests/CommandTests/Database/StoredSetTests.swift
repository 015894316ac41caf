import Composition
import Foundation
import JSONDocument
import TestSupport
import Testing

/// What is told of a stored set: it as it was stored, whatever happened since.
@Suite(.tags(.database)) struct `A stored set` {
    private let first = DatabaseCommand.first

    /// Choices by id and score.
    private static func cards(_ value: JSONValue) -> [String] {
        (value["choices"]?.array ?? []).map {
            "\($0["candidate_id"]?.string ?? "?") \(Int((($0["score"]?.double ?? 0) * 10_000).rounded()))"
        }
    }

    private func explained(_ run: String, on url: String) async throws -> (cards: [String], errors: String) {
        let json = try await DatabaseCommand.json("\"$KNOT\" explain --run \(run) --json", on: url)
        let text = try await DatabaseCommand.run("\"$KNOT\" explain --run \(run)", on: url)
        #expect(text.code == 0, "\(text)")
        return (Self.cards(json), text.errors)
    }

    @Test func `is explained as it was stored, and neither it nor a later one counts as history`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let ask = "\"$KNOT\" run --vault \(first) --request"
            let one = try await DatabaseCommand.json("\(ask) one --json", on: database.url)
            let two = try await DatabaseCommand.json("\(ask) two --json", on: database.url)
            let runs = try [one, two].map { try #require($0["run_id"]?.string) }
            let again = "\"$KNOT\" refresh --run \(runs[0]) --reason show_different --json"
            let three = try await DatabaseCommand.json(again, on: database.url)
            #expect(Set(Self.cards(one)).isDisjoint(with: Self.cards(two)), "the second knows the first")
            for set in [one, two, three] {
                let run = try #require(set["run_id"]?.string)
                let told = try await explained(run, on: database.url)
                #expect(told.cards == Self.cards(set))
                #expect(!told.errors.contains("changed since"), "\(told.errors)")
            }
            // With another pipeline than the usual one.
            let classic = try await DatabaseCommand.json("\(ask) old --pipeline classic --json", on: database.url)
            let told = try await explained(try #require(classic["run_id"]?.string), on: database.url)
            #expect(told.cards == Self.cards(classic) && !told.errors.contains("changed since"))
        }
    }

    @Test func `is still explained as it was stored when what it read has changed, and that is a note`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let made = try await DatabaseCommand.json("\"$KNOT\" run --vault \(first) --json", on: database.url)
            let run = try #require(made["run_id"]?.string)
            let id = try #require(made["choices"]?.array?.first?["candidate_id"]?.string)
            try await database.run("delete from catalogue_items where candidate_id = '\(id)'")
            let told = try await explained(run, on: database.url)
            #expect(told.cards == Self.cards(made))
            #expect(told.errors.contains("as it was stored"), "\(told.errors)")
        }
    }

    @Test func `is told with the moment on the clocks of the vault's person, and that of a hint likewise`() async throws
    {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let made = try await DatabaseCommand.json("\"$KNOT\" run --vault \(first) --json", on: database.url)
            let run = try #require(made["run_id"]?.string)
            try await database.run(
                "alter table recommendation_runs disable trigger user; alter table hints disable trigger user"
            )
            try await database.run("update recommendation_runs set created_at = '2026-03-01 23:30:00Z'")
            try await database.run("update hints set created_at = '2026-03-01 23:30:00Z'")
            for (zone, moment, day) in [
                ("America/New_York", "1 March 2026, 18:30 -05:00", "2026-03-01"),
                ("Asia/Kolkata", "2 March 2026, 05:00 +05:30", "2026-03-02"),
                ("Etc/Unknown", "1 March 2026, 23:30 UTC", "2026-03-01"),
            ] {
                try await database.run("update users set timezone = '\(zone)'")
                for words in ["--vault \(first)", "--run \(run)", "--diff \(run) \(run)"] {
                    let told = try await DatabaseCommand.run("\"$KNOT\" history \(words)", on: database.url)
                    let text = told.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    #expect(text.contains(moment) && !text.contains("T23:30"), "\(words): \(text)")
                }
                let list = try await DatabaseCommand.json("\"$KNOT\" history --vault \(first) --json", on: database.url)
                #expect(list["sets"]?.array?.first?["created_at"] == "2026-03-01T23:30:00Z")
                let hints = try await DatabaseCommand.run("\"$KNOT\" hint list --vault \(first)", on: database.url)
                #expect(hints.output.hasPrefix("\(day)  "), "\(hints)")
            }
        }
    }

    @Test func `is shown whole by history, and held against another`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let made = try await DatabaseCommand.json("\"$KNOT\" run --vault \(first) --json", on: database.url)
            let run = try #require(made["run_id"]?.string)
            let ask = "\"$KNOT\" refresh --run \(run) --reason show_different --reject 2 --reject 3 --json"
            let next = try await DatabaseCommand.json(ask, on: database.url)
            let other = try #require(next["run_id"]?.string)
            let kept = try #require(made["choices"]?.array?.first?["candidate_id"]?.string)
            #expect(Self.cards(next)[0].hasPrefix("\(kept) "))

            let whole = try await DatabaseCommand.json("\"$KNOT\" history --run \(run) --json", on: database.url)
            #expect(whole["result"] == made && whole["set"]?["superseded_by"]?.string == other)
            let card = try await DatabaseCommand.run("\"$KNOT\" history --run \(run)", on: database.url)
            let told = card.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(card.code == 0 && told.contains("replaced since by run \(other)"))
            for choice in made["choices"]?.array ?? [] {
                let url = try #require(choice["url"]?.string)
                #expect(card.output.contains(url.prefix(40)))
            }

            let difference = try await DatabaseCommand.json(
                "\"$KNOT\" history --diff \(run) \(other) --json",
                on: database.url
            )
            #expect(difference["kept"]?.array?.count == 1 && difference["gone"]?.array?.count == 2)
            #expect(difference["came"]?.array?.count == 2)
            #expect(difference["kept"]?.array?.first?["candidate_id"] == made["choices"]?.array?.first?["candidate_id"])
            let text = try await DatabaseCommand.run("\"$KNOT\" history --diff \(run) \(other)", on: database.url)
            #expect(text.output.split(separator: "\n").count(where: { $0.hasPrefix("- ") }) == 2)
            #expect(text.output.split(separator: "\n").count(where: { $0.hasPrefix("+ ") }) == 2)

            let scratch = try ScratchFolder()
            let file = scratch.file("sets.csv")
            let list = try await DatabaseCommand.run(
                "\"$KNOT\" history --vault \(first) --format csv --output \(file)",
                on: database.url
            )
            #expect(list.code == 0 && list.output.isEmpty)
            let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(rows.count == 7 && rows[0].hasPrefix("run_id,created_at,"))
            let stranger = "00000000-0000-4000-8000-000000000000"
            let none = try await DatabaseCommand.run("\"$KNOT\" history --run \(stranger)", on: database.url)
            #expect(none.code == 66)
            let wrong = try await DatabaseCommand.run(
                "\"$KNOT\" history --run \(run) --vault \(stranger)",
                on: database.url
            )
            #expect(wrong.code == 66)
        }
    }
}
