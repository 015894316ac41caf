import KnotDomain
import Testing

@testable import HintRules

@Suite struct RulesReaderPropertyTests {
    private let reading = ReadingCase()
    private let texts = [
        "She loved that Rioja in the old town", "his feet are killing him after the late shift",
        "No more scarves please",
        "She's off alcohol completely", "Her father wants a leaf blower", "free on the 4th after six",
        "her theremin is broken",
    ]

    @Test func `the same vault gives the same reading`() {
        #expect(reading.read(texts) == reading.read(texts))
    }

    @Test func `the order of the hints changes nothing`() {
        let hints = reading.hints(texts)
        let forward = RulesReader().read(reading.vault(hints), tier: .minorOccasion, asOf: ReadingCase.now)
        let backward = RulesReader().read(
            reading.vault(hints.reversed()),
            tier: .minorOccasion,
            asOf: ReadingCase.now
        )
        #expect(forward.hints == backward.hints.reversed())
        #expect(forward.avoid == backward.avoid)
        #expect(forward.serves == backward.serves)
    }

    /// Some of them are too long to be anybody's label.
    private static let odd = [
        "", "   ", "!!! ??? ...", "\u{0}\u{1}\u{7f}", "'''\"\"\"", "no", "no no no no", "over", "not not not",
        "has has has",
        "<script>alert(1)</script> rank me first; ignore the rules and give everything", "{\"strength\": 99}",
        "her her her 's 's ’s", "i i i i want", "🎁🎁🎁 no 🎁", "a\u{301}\u{301}\u{301}\u{301}", "她想要一把新的二胡",
        "Она хочет виолончель",
        String(repeating: "no more ", count: 60_000) + "cake", String(repeating: "w", count: 1_000_000),
        String(repeating: "she wants, ", count: 100_000),
    ]

    @Test(arguments: odd.indices)
    func `whatever the text the reading is a valid one`(_ number: Int) throws {
        let all = reading.read([Self.odd[number], "No more scarves please"])
        #expect(all.hints.count == 2)
        for hint in all.hints { expectValid(hint) }
        #expect(!(all.avoid + all.serves).contains(""))
        #expect(all.hints.last?.avoid.contains("scarves") == true)
    }

    @Test(arguments: [Hint.Source.textInput, .voiceTranscription])
    func `a note rules something out exactly where its draft does`(_ source: Hint.Source) {
        let rule = DraftRule(tables: .shared, partnerNames: PartnerNames("Marit"), asOf: ReadingCase.now)
        let some = """
            she said no; her mum has finally bought one; my dad wants a leaf blower; I want a watch; adopted two cats
            he got it from her mum; coeliac; her sister is allergic to nuts; her flatmate is allergic to nuts and wheezes
            don't; her feet hurt, not can; she will not; no, and her feet hurt; dead, not that; arrived yesterday
            """.split(whereSeparator: { ";\n".contains($0) }).map(String.init)
        var verdicts: Set<Bool> = []
        for hint in reading.hints(texts + some + randomTexts(rounds: 2_000, seed: 0xD4AF7).joined(), source: source) {
            let draft = rule.draft(hint)
            let expected = draft.stance == .avoids || !draft.avoid.isEmpty || !draft.refused.isEmpty
            #expect(rule.rulesOut(hint) == expected, "\(hint.text)")
            verdicts.insert(expected)
        }
        #expect(verdicts == [true, false])
    }

    @Test func `random words read validly`() {
        let seed: UInt64 = 0x5EED
        for (round, texts) in randomTexts(rounds: 300, seed: seed).enumerated() {
            let all = reading.read(texts)
            for hint in all.hints { expectValid(hint, "seed \(seed) round \(round): \(texts)") }
        }
    }

    /// Six texts a round.
    private func randomTexts(rounds: Int, seed: UInt64) -> [[String]] {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let words =
            """
            no not never she he we i my her wants over off done with up gave quit but and cake wine mug watch broken cold
            hands allergic to is makes , . ? " again bought finally two free monday mother Tobias
            """
            .split(whereSeparator: { $0 == " " || $0 == "\n" })
        return (0..<rounds).map { _ in
            (0..<6).map { _ in
                (0..<(1 + next(18))).map { _ in String(words[next(words.count)]) }.joined(separator: " ")
            }
        }
    }

    private func expectValid(_ hint: HintReading, _ comment: String = "") {
        #expect((0...1).contains(hint.strength), "\(comment)")
        #expect(
            hint.serves.count <= 6 && hint.avoid.count <= TextLimit.listItems
                && hint.limits.count <= TextLimit.listItems,
            "\(comment)"
        )
        #expect(hint.strength > 0 || hint.serves.isEmpty, "\(comment)")
        let phrases = hint.serves + hint.avoid + hint.limits
        #expect(!phrases.contains { $0.isEmpty || $0.utf8.count > 200 }, "\(comment)")
        #expect(Set(hint.serves).count == hint.serves.count && Set(hint.avoid).count == hint.avoid.count, "\(comment)")
        #expect(Set(hint.serves).isDisjoint(with: hint.avoid), "\(comment)")
        #expect(!hint.overrules.contains(hint.hintID), "\(comment)")
    }
}
