import Console
import Foundation
import JSONDocument
import ProviderSimulator
import TestSupport
import Testing

@testable import Composition
@testable import Evaluation

/// `impact`: what a changed pipeline changes about recorded runs.
@Suite("The impact of a change", .onOwnThreads, .serialized)
struct ImpactVerbTests {
    /// A recording of a few vaults each, by file: made once, since all tests ask of the same.
    private static let recorded = OwnThreads.task {
        let folder = try ScratchFolder()
        var texts: [String: String] = [:]
        for stem in ["dev-01", "dev-02", "dev-03", "dev-04"] {
            let fixture = Repository.root.appending(path: "fixtures/vaults/\(stem).json").path
            let file = folder.file("\(stem).cassette")
            let words = ["run", "--fixture", fixture, "--model", "none", "--record", file]
            let outcome = try await LiveCommand.run(words, [:])
            try #require([.done, .short].contains(outcome.code), "\(outcome.all)")
            texts["\(stem).cassette"] = try String(contentsOfFile: file, encoding: .utf8)
        }
        return texts
    }

    /// A folder with them.
    private func recordings() async throws -> ScratchFolder {
        let texts = try await Self.recorded.value
        let folder = try ScratchFolder()
        for (name, text) in texts { _ = try folder.write(text, to: name) }
        return folder
    }

    /// The ids of the cards of a recording under a pipeline, as `replay` has them.
    private func cards(_ path: String, _ more: [String] = []) async throws -> [String] {
        let outcome = try await LiveCommand.run(["replay", path, "--json"] + more, [:])
        let set = try JSONParser.parse(outcome.output)
        return (set["choices"]?.array ?? []).compactMap { $0["candidate_id"]?.string }
    }

    @Test func `is none where nothing differs, and the words say so`() async throws {
        let folder = try await recordings()
        let words = ["impact", folder.path, "--changed", "choice-of-three"]
        let report = try JSONParser.parse(try await LiveCommand.run(words + ["--json"], [:]).output)
        #expect(report["schema"]?.string == "knot.impact/1")
        #expect(
            report["same_sets"]?.int == 4 && report["changed_sets"]?.int == 0 && report["share_changed"]?.double == 0
        )
        let text = try await LiveCommand.run(words + ["--strict"], [:])
        #expect(text.code == .done && text.output.contains("0 of 4 sets changed"), "\(text.all)")
    }

    @Test(arguments: [["--changed", "classic"], ["--set", "combine.hints=0.0"], ["--set", "within_budget.over=0.0"]])
    func `is what replay makes of each recording under both pipelines`(change: [String]) async throws {
        let folder = try await recordings()
        let outcome = try await LiveCommand.run(["impact", folder.path, "--json"] + change, [:])
        // A parameter that there is not is refused, as everywhere.
        guard outcome.code == .done else {
            #expect(outcome.code == .configuration)
            return
        }
        let report = try JSONParser.parse(outcome.output)
        let other = change.map { $0 == "--changed" ? "--pipeline" : $0 }
        var changed = 0
        for run in report["runs"]?.array ?? [] {
            let path = try #require(run["recording"]?.string)
            let (before, after) = (try await cards(path), try await cards(path, other))
            func ids(_ name: String) -> [String] {
                (run[name]?.array ?? []).compactMap { $0["candidate_id"]?.string }
            }
            #expect(ids("left") == before.filter { !after.contains($0) }, "\(path)")
            #expect(ids("came") == after.filter { !before.contains($0) }, "\(path)")
            let kind = Set(before) != Set(after) ? "changed" : before == after ? "same" : "reordered"
            #expect(run["change"]?.string == kind)
            changed += kind == "changed" ? 1 : 0
        }
        #expect(report["runs"]?.array?.count == 4 && report["changed_sets"]?.int == changed)
        #expect(report["share_changed"]?.double == Double(changed) / 4)
        // Every card that left or came is counted under one cause.
        for name in ["left", "came"] {
            let cards = (report["runs"]?.array ?? []).reduce(0) { $0 + ($1[name]?.array?.count ?? 0) }
            #expect((report[name]?.array ?? []).reduce(0) { $0 + ($1["cards"]?.int ?? 0) } == cards)
        }
        if change == ["--changed", "classic"] { #expect(changed > 0) }
    }

    /// What services and pages answered is on the recording; that nobody is asked again shows where nobody is there.
    @Test func `is that of recorded live runs too, without anybody who answered them`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("live.cassette")
        let simulator = try LiveCommand.simulator(servesPages: true)
        let words = LiveCommand.patientWords + ["--json", "--record", path]
        let live = try await LiveCommand.run(words, simulator.environment)
        simulator.stop()
        let shown = (try JSONParser.parse(live.output)["choices"]?.array ?? []).map { $0["candidate_id"]?.string }
        try #require(shown.count == 3, "\(live.all)")
        #expect(try await cards(path) == shown)
        func report(_ change: [String]) async throws -> JSONValue {
            let outcome = try await LiveCommand.run(["impact", folder.path, "--json"] + change, [:])
            #expect(outcome.code == .done, "\(outcome.all)")
            return try JSONParser.parse(outcome.output)
        }
        let none = try await report(["--changed", try #require(LiveCommand.patientWords.last)])
        #expect(none["same_sets"]?.int == 1 && none["failed_sets"]?.int ?? 0 == 0, "\(none)")
        for change in [["--set", "combine.hints=0.0"], ["--changed", "classic"], ["--changed", "choice-of-three"]] {
            let found = try await report(change)
            let run = try #require(found["runs"]?.array?.first)
            let after = try await cards(path, change.map { $0 == "--changed" ? "--pipeline" : $0 })
            #expect(after.count == 3, "\(change)")
            func ids(_ name: String) -> [String?] { (run[name]?.array ?? []).map { $0["candidate_id"]?.string } }
            #expect(ids("left") == shown.filter { !after.contains($0 ?? "") }, "\(change) \(run)")
            #expect(ids("came") == after.filter { !shown.contains($0) }, "\(change) \(run)")
        }
    }

    @Test func `names what took a card away: the filter that drops it, or the scorer that gives it less`() async throws
    {
        let folder = try await recordings()
        let words = ["impact", folder.path, "--set", "combine.hints=0.0", "--json"]
        let report = try JSONParser.parse(try await LiveCommand.run(words, [:]).output)
        let left = (report["runs"]?.array ?? []).flatMap { $0["left"]?.array ?? [] }
        try #require(!left.isEmpty)
        #expect(left.contains { $0["kind"]?.string == "scored" && $0["node"]?.string == "hints" }, "\(left)")
    }

    /// A card that the recorded run had no reason to look at may well be gone.
    @Test func `says of which cards the recording does not know whether they can be had`() async throws {
        let folder = try await recordings()
        let words = ["impact", folder.path, "--changed", "classic"]
        let report = try JSONParser.parse(try await LiveCommand.run(words + ["--json"], [:]).output)
        var (runs, cards) = (0, 0)
        for run in report["runs"]?.array ?? [] {
            let path = try #require(run["recording"]?.string)
            let looked = try Set(
                String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
                    let effect = try JSONParser.parse(String(line))
                    guard effect["kind"]?.string == "availability.probe" else { return nil }
                    return effect["key"]?.array?.first?.string
                }
            )
            try #require(!looked.isEmpty)
            let came = run["came"]?.array ?? []
            for card in came {
                let isKnown = looked.contains(card["candidate_id"]?.string ?? "")
                #expect(card["not_recorded"]?.bool == !isKnown, "\(card)")
            }
            cards += came.count { $0["not_recorded"] == true }
            runs += run["not_recorded"]?.array?.isEmpty == false ? 1 : 0
        }
        try #require(cards > 0)
        #expect(report["not_recorded_cards"]?.int == cards && report["not_recorded_runs"]?.int == runs)
        for more in [["-v"], ["--format", "markdown"]] {
            let text = try await LiveCommand.run(words + more, [:]).output
            #expect(text.contains("not_recorded") || text.contains("not\\_recorded"), "\(text)")
            #expect(text.contains("not recorded whether"), "\(text)")
        }
        // Where nothing is changed, nothing else is asked.
        let same = try await LiveCommand.run(["impact", folder.path, "--changed", "choice-of-three", "--json"], [:])
        #expect(try JSONParser.parse(same.output)["not_recorded_runs"]?.int == 0, "\(same.all)")
    }

    @Test func `counts a recording once, however often it is named`() async throws {
        let folder = try await recordings()
        let one = folder.file("dev-01.cassette")
        let words = ["impact", one, folder.path, one, "--changed", "classic", "--json"]
        let report = try JSONParser.parse(try await LiveCommand.run(words, [:]).output)
        #expect(report["recordings"]?.int == 4 && report["runs"]?.array?.count == 4)
    }

    @Test func `never says that a card scores more whose score fell`() async throws {
        let folder = try await recordings()
        for change in ["combine.hints=0.05", "combine.quality=0.6", "combine.hints=2"] {
            let words = ["impact", folder.path, "--set", change, "--json"]
            let report = try JSONParser.parse(try await LiveCommand.run(words, [:]).output)
            for run in report["runs"]?.array ?? [] {
                for (name, sign) in [("left", -1.0), ("came", 1.0)] {
                    for card in run[name]?.array ?? [] where card["kind"]?.string == "scored" {
                        let scores = (card["detail"]?.string ?? "").components(separatedBy: " to ").compactMap(
                            Double.init
                        )
                        try #require(scores.count == 2, "\(card)")
                        #expect((scores[1] - scores[0]) * sign >= 0, "\(change): \(card)")
                    }
                }
            }
        }
    }

    @Test func `is a table for a review, and in lines of eighty columns for a terminal`() async throws {
        let folder = try await recordings()
        let words = ["impact", folder.path, "--changed", "classic"]
        let page = try await LiveCommand.run(words + ["--format", "markdown"], [:])
        #expect(page.output.contains("| recording | left | came |") && page.output.contains("|---|---|---|"))
        for row in page.output.split(separator: "\n") where row.hasPrefix("| ") {
            #expect([4, 5].contains(row.split(separator: "|", omittingEmptySubsequences: false).count), "\(row)")
        }
        let text = try await LiveCommand.run(words + ["-v", "--strict"], [:])
        #expect(text.code == .degradedUnderStrict && text.output.contains("sets changed"))
        for line in text.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `takes no text of a service for markup, a link, a mention or another cell`() {
        let evil = "a|b <script> [x](https://e.example) @all `rm` *b* #1 ![i](u) \u{1b}[31m\n| new | row |"
        let shown = ImpactText.escaped(evil)
        for text in ["|", "<", "](", "@", " `", "\n", "\u{1b}", "https:", "!["] {
            #expect(!shown.contains(text), "\(text)")
        }
    }

    @Test func `is refused where nothing is changed or there is nothing to run`() async throws {
        let folder = try await recordings()
        let empty = try ScratchFolder()
        #expect(try await LiveCommand.run(["impact", folder.path], [:]).code == .usage)
        #expect(try await LiveCommand.run(["impact", "--changed", "classic"], [:]).code == .usage)
        #expect(try await LiveCommand.run(["impact", empty.path, "--changed", "classic"], [:]).code == .notFound)
        let torn = folder.file("dev-01.cassette")
        try Data(contentsOf: URL(filePath: torn)).prefix(3_000).write(to: URL(filePath: torn))
        let outcome = try await LiveCommand.run(["impact", folder.path, "--changed", "classic"], [:])
        #expect(outcome.code == .badInput && outcome.errors.contains("dev-01.cassette"), "\(outcome.all)")
    }
}
