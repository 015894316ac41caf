import TestSupport
import Testing
import TextEncoding

@Suite struct `A tokenizer` {
    private func words(_ text: String, limit: Int = .max) -> [String] {
        Tokenizer.tokens(of: text, limit: limit).map(\.text)
    }

    @Test(arguments: ["", " ", "\u{0}", "\n\t", "🎁🎉👩‍👩‍👧", "…—!?", "'''", "’’", "\u{301}\u{301}", "\u{200D}\u{FE0F}"])
    func `finds nothing where there are no words`(text: String) {
        #expect(words(text).isEmpty)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let words: [String]
        var testDescription: String { text }
        init(_ text: String, _ words: [String]) {
            self.text = text
            self.words = words
        }
    }

    @Test(arguments: [
        Case("She's over roses", ["she", "over", "roses"]), Case("she’s", ["she"]),
        Case("They've said I'd", ["they", "said", "i"]),
        Case("isn't", ["is", "not"]), Case("don’t can't won't", ["do", "not", "can", "not", "will", "not"]),
        Case("grandmothers' o'clock L'Oréal", ["grandmothers", "oclock", "loreal"]),
        Case("rock 'n' roll", ["rock", "n", "roll"]), Case("whole-grain", ["whole", "grain"]),
        Case("whole\u{2010}grain\u{2011}bread", ["whole", "grain", "bread"]),
        Case("arts & crafts", ["arts", "and", "crafts"]),
        Case("4K 3D-printer", ["4k", "3d", "printer"]), Case("wine_bars/food", ["wine", "bars", "food"]),
        Case("I❤️wine", ["i", "wine"]), Case("wine🍷bar", ["wine", "bar"]),
    ])
    func `splits English as a reader would`(example: Case) {
        #expect(words(example.text) == example.words)
    }

    @Test(arguments: [
        Case("Crème BRÛLÉE", ["creme", "brulee"]), Case("Cre\u{300}me Bru\u{302}le\u{301}e", ["creme", "brulee"]),
        Case("Straße ŁÓDŹ Ærø", ["strasse", "lodz", "aero"]), Case("ﬁne Ｗｉｎｅ", ["fine", "wine"]),
        Case("wi\u{AD}ne w\u{200D}ine", ["wine", "wine"]), Case("phở Việt Nam", ["pho", "viet", "nam"]),
        Case("ΌΔΟΣ ὁδός".replacing("ὁδός", with: "οδός"), ["οδοσ", "οδοσ"]), Case("Ёлка", ["елка"]),
        Case("赤ワイン", ["赤", "ワ", "イ", "ン"]), Case("서울 여행", ["서울", "여행"]), Case("İstanbul", ["istanbul"]),
    ])
    func `folds case and diacritics in any script`(example: Case) {
        #expect(words(example.text) == example.words)
    }

    @Test func `stops at its limit, even inside a word that gives two tokens`() {
        #expect(words("one two three", limit: 2) == ["one", "two"])
        #expect(words("isn't", limit: 1) == ["is"])
        #expect(words("one", limit: 0).isEmpty)
        #expect(words("one", limit: -3).isEmpty)
    }

    @Test func `tells where each word starts`() {
        let text = "Zoë's café, wine"
        let offsets = Tokenizer.tokens(of: text).map(\.offset)
        #expect(offsets == [0, 7, 14])
        #expect(Tokenizer.tokens(of: text).map(\.opensClause) == [true, false, true])
    }

    @Test func `sees no end of a clause in an abbreviation or a number`() {
        let opening = Tokenizer.tokens(of: "Dr. Martens by St. James 3.5 stars. New").filter(\.opensClause).map(\.text)
        #expect(opening == ["dr", "new"])
    }

    @Test(arguments: ["a", "ab ", "é", "e\u{301}", "𝒳", "ワ", "'", "s' ", "n't", "🎁", "\u{FFFD}", "ing"])
    func `reads a megabyte of anything in linear time`(unit: String) {
        let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        var count = 0
        let time = ThreadTime.measure { count = Tokenizer.tokens(of: text).count }
        #expect(count <= text.utf8.count)
        // A debug build takes about a second; quadratic work would take hours.
        #expect(time < .seconds(40))
    }

    @Test func `keeps only the beginning of a hostile word`() {
        let token = Tokenizer.tokens(of: String(repeating: "x", count: 100_000) + " wine")
        #expect(token.count == 2)
        #expect(token.allSatisfy { $0.text.utf8.count <= 96 })
    }

    @Test func `survives random scalars and gives the same words twice`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var state = seed
        for _ in 0..<300 {
            var text = String.UnicodeScalarView()
            for _ in 0..<60 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let range: UInt32 = [0x80, 0x600, 0x3000, 0x11_0000][Int(state >> 62)]
                if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: state >> 30) % range) { text.append(scalar) }
            }
            let tokens = Tokenizer.tokens(of: String(text))
            #expect(tokens == Tokenizer.tokens(of: String(text)), "seed \(seed)")
            #expect(tokens.allSatisfy { !$0.text.isEmpty && !$0.stem.isEmpty }, "seed \(seed)")
            #expect(zip(tokens, tokens.dropFirst()).allSatisfy { $0.offset <= $1.offset }, "seed \(seed)")
        }
    }

    @Test(arguments: ["She's eyeing whole-grain bread", "Ørsted's café, 4K & more", "赤ワイン isn't", ""])
    func `gives the same words without their stems`(text: String) {
        #expect(Tokenizer.words(of: text) == words(text))
        #expect(Tokenizer.words(of: text, limit: 2) == words(text, limit: 2))
    }
}
