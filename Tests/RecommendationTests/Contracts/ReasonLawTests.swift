import Fixtures
import Foundation
import HintRules
import KnotDomain
import Shipped
import StageGraph
import TestSupport
import Testing
import TextReading

@testable import Recommendation

/// What a card may say of why it is there, held over every judged vault with both kinds of readings.
@Suite(.onOwnThreads) struct ReasonLawTests {
    /// A set with what the run knew when its reasons were written.
    private struct Told {
        let stem: String
        let choices: ChoiceOfThree
        let readings: [HintID: HintReading]

        var hints: [HintID: Hint] {
            Dictionary(choices.brief.vault.hints.map { ($0.id, $0) }) { first, _ in first }
        }
        var quotes: [(hint: HintID, text: String)] {
            choices.choices.compactMap { choice in
                if case .quote(let hint, let text, _) = choice.tie { (hint, text) } else { nil }
            }
        }
    }

    private static func told(_ readings: FixtureLoader) async throws -> [Told] {
        var all: [Told] = []
        for file in try JudgedFixtures.files() {
            let found = try readings.load(file)
            let ports = StagePorts(
                found,
                asOf: nil,
                zones: ZoneDirectory(),
                clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
            let run = await Scene.engine.report(
                try Scene.plan(ShippedPipelines.standard),
                ports: ports,
                options: RunOptions(deadline: .seconds(600))
            )
            let digest = try #require(run.report.output(of: "retrieve", as: HintDigest.self))
            guard case .success(let choices) = run.result else { continue }
            let readings = Dictionary(digest.ranked.map { ($0.hint.id, $0.reading) }) { first, _ in first }
            all.append(Told(stem: found.stem, choices: choices, readings: readings))
        }
        return all
    }

    private static let loaders = ["rules", "recorded"]
    private static func told(_ name: String) async throws -> [Told] {
        try await told(name == "rules" ? FixtureLoader(readings: .rules) : FixtureLoader())
    }

    @Test(arguments: loaders) func `no note is quoted that rules something out, and none twice in a set`(
        loader: String
    ) async throws {
        let all = try await Self.told(loader)
        #expect(all.count == 28)
        for told in all {
            #expect(Set(told.quotes.map(\.hint)).count == told.quotes.count, "\(told.stem)")
            let brief = told.choices.brief
            let ruled = RulesReader().read(brief.vault, tier: brief.tier, asOf: brief.asOf)
            for quote in told.quotes {
                #expect(told.readings[quote.hint]?.stance != .avoids, "\(told.stem): \(quote.text)")
                let rules = ruled.hints.first { $0.hintID == quote.hint }
                #expect(rules?.stance != .avoids && rules?.avoid.isEmpty == true, "\(told.stem): \(quote.text)")
            }
        }
        #expect(all.reduce(0) { $0 + $1.quotes.count } >= 15, "hardly anything is quoted any more")
    }

    @Test(arguments: loaders) func `every quote is whole sentences of its note, with the turn that follows them`(
        loader: String
    ) async throws {
        let ends: Set<Character> = [".", "!", "?", ";", "\u{2026}", "\n", "\"", "\u{201D}", ")"]
        for told in try await Self.told(loader) {
            for quote in told.quotes {
                let note = try #require(told.hints[quote.hint]?.text)
                let place = try #require(note.range(of: quote.text), "\(told.stem): \(quote.text)")
                let before = note[..<place.lowerBound].last { !$0.isWhitespace }
                let after = note[place.upperBound...].drop { $0.isWhitespace }
                #expect(before.map(ends.contains) ?? true, "\(told.stem): \(quote.text)")
                #expect(after.isEmpty || quote.text.last.map(ends.contains) == true, "\(told.stem): \(quote.text)")
                let next = after.prefix { !ends.contains($0) }.lowercased().split(separator: " ").prefix(2)
                #expect(
                    Set(next).isDisjoint(with: ["but", "not", "no", "never", "except"]),
                    "\(told.stem): \(quote.text)"
                )
            }
        }
    }

    @Test(arguments: loaders)
    func `the neutral sentence has nobody's words: none of a note, no name, nothing of health`(
        loader: String
    ) async throws {
        let known = Set(
            """
            it answers something that was noted goes with an interest in a known clearly asks for nothing the budget and day
            is on arrives days before of costs for two its price not listed within outside to
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        ).union(KnownInterest.allCases.flatMap { $0.rawValue.lowercased().split(separator: " ").map(String.init) })
        for told in try await Self.told(loader) {
            for choice in told.choices.choices {
                let currency = told.choices.brief.budget.currency.code.lowercased()
                let words = choice.neutralReason.lowercased().split { !$0.isLetter }.map(String.init)
                let strange = words.filter { !known.contains($0) && $0 != currency }
                #expect(strange.isEmpty, "\(told.stem): \(choice.neutralReason)")
            }
        }
    }

    @Test(arguments: loaders) func `a like is named with words that the offer's title or tags have`(
        loader: String
    ) async throws {
        for told in try await Self.told(loader) {
            for choice in told.choices.choices {
                guard case .like(let like, let words) = choice.tie else { continue }
                #expect(told.choices.brief.vault.likes.contains(like) && choice.reason.contains(words))
                #expect(
                    ReasonCheck(told.choices.brief).problem(
                        with: Reason(text: "", neutral: "", claims: [.tagged(words)]),
                        for: choice.offer
                    ) == nil
                )
            }
        }
    }

    @Test func `an offer that shares a side word with a note is not tied to it, and names no like but its own`()
        async throws
    {
        var scene = Scene([
            .invented("projector", "Star Projector", description: "A film of stars on the ceiling", price: 5_000),
            .invented("mall", "Antique Mall", type: .date, description: "Forty stalls and a bakery counter"),
        ])
        scene.likes = ["Baking", "Art"]
        scene.note("His old film camera is broken and he misses it", serves: ["film camera repair"])
        let run = try await scene.run()
        for (id, card) in run.cards {
            #expect(card.tie == .none, "\(id): \(card.reason)")
            #expect(card.reason.contains("No note of yours clearly asks for it"), "\(card.reason)")
            #expect(!card.reason.contains("Art"), "\(card.reason)")
            #expect(card.reason.contains("Ines likes Baking") == (id == "mall"), "\(card.reason)")
        }
        #expect(run.cards.count == 2)
    }

    @Test func `a note is told by what it asks for where it speaks of illness`() async throws {
        var scene = Scene([.invented("kneeler", "Padded garden kneeler", description: "With handles")])
        scene.note("Her knees hurt since the surgery", serves: ["garden kneeler"], stance: .needs)
        let card = try #require(try await scene.run().cards["kneeler"])
        #expect(card.tie == .wish(HintID("hint-1"), phrase: "garden kneeler"))
        #expect(!card.reason.contains("surgery") && card.reason.contains("garden kneeler"))
    }
}

/// Where notes are cut, and where not.
@Suite(.onOwnThreads) struct NoteSentencesTests {
    @Test(arguments: [
        ("One thing she said. Another thing he said!", ["One thing she said.", "Another thing he said!"]),
        ("She loved the lake. Never again though.", ["She loved the lake. Never again though."]),
        ("He eyed the smoker; but he'll not touch it", ["He eyed the smoker; but he'll not touch it"]),
        ("Dr. Wu said 3.5 km is fine. Good shoes help", ["Dr. Wu said 3.5 km is fine.", "Good shoes help"]),
        ("no marks at all, just words", ["no marks at all, just words"]),
        ("a first line\na second line", ["a first line", "a second line"]),
        ("\"I want that one.\" She meant it", ["\"I want that one.\"", "She meant it"]),
        ("", []),
    ])
    func `a note is cut where a sentence ends and no turn follows`(note: String, pieces: [String]) {
        #expect(NoteSentences(note).pieces == pieces)
    }
}
