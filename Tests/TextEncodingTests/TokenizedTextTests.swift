import Testing
import TextEncoding

@Suite struct `A tokenized text` {
    @Test(arguments: ["smart", "party", "artisan", "artful", "heart", "start", "artichoke", "Bart's cart"])
    func `does not contain art where only its letters occur`(text: String) {
        #expect(!TokenizedText(text).contains(Phrase("art")))
    }

    @Test(arguments: [
        ("spa", "Spanish"), ("spa", "space"), ("nature", "signature"), ("wine", "twine"), ("cars", "Oscars"),
        ("car", "card"),
        ("cat", "catalogue"), ("pet", "carpet"), ("tea", "steak"), ("run", "brunch"), ("hike", "shiken"),
        ("sports", "passport"),
    ])
    func `finds whole words only`(word: String, text: String) {
        #expect(!TokenizedText(text).contains(Phrase(word)))
        #expect(TokenizedText("a \(word), yes").contains(Phrase(word)))
    }

    @Test func `finds phrases by stems, in order and without gaps`() {
        let text = TokenizedText("Two wine tastings and a tasting of wine")
        #expect(text.contains(Phrase("wine tasting")))
        #expect(text.positions(of: Phrase("wine tasting")) == [1..<3])
        #expect(text.positions(of: Phrase("taste")) == [2..<3, 5..<6])
        #expect(!text.contains(Phrase("tasting wine")))
    }

    @Test func `finds no phrase across the end of a clause or a field`() {
        #expect(!TokenizedText("She loves wine. Tasting menus").contains(Phrase("wine tasting")))
        #expect(!TokenizedText(fields: ["Wine", "tasting menu"]).contains(Phrase("wine tasting")))
        #expect(TokenizedText("wine-tasting").contains(Phrase("wine tasting")))
    }

    @Test func `contains no empty phrase`() {
        #expect(!TokenizedText("wine").contains(Phrase("🎁")))
        #expect(!TokenizedText("").contains(Phrase("wine")))
        #expect(TokenizedText("").positions(of: Phrase("")).isEmpty)
    }

    @Test func `compares exact phrases as written, a plural aside`() {
        let bowling = Phrase("bowling", isExact: true)
        #expect(!TokenizedText("a ceramic bowl").contains(bowling))
        #expect(TokenizedText("Bowling night").contains(bowling))
        #expect(TokenizedText("two paintings").contains(Phrase("painting", isExact: true)))
        #expect(!TokenizedText("painted vase").contains(Phrase("painting", isExact: true)))
    }

    @Test func `finds one ideograph word inside a longer run`() {
        #expect(TokenizedText("赤ワインのグラス").contains(Phrase("ワイン")))
        #expect(!TokenizedText("ライン").contains(Phrase("ワイン")))
    }

    @Test func `keeps meaning and leaves out grammar`() {
        #expect(TokenizedText("She is so over the roses").contentFingerprints == [Fingerprint.of("rose")])
        #expect(TokenizedText(fields: ["One two", "three"], limit: 2).words.count == 2)
    }

    @Test func `knows of each word in numbers what its token says in letters`() {
        let texts = [
            "", "She's over it, isn't she? Can't stand TULIPS & lilies.", "Crème brûlée d'été — ｗｉｎｅ 2.0",
            "赤ワイン ''' rock 'n' roll's \(String(repeating: "x", count: 300)) travelling",
            "Dr. Martens (boots)\ncafé's",
        ]
        var reader = TokenizedText.Reader()
        for text in texts {
            let tokens = Tokenizer.tokens(of: text)
            let words = reader.read(text).words
            #expect(words == TokenizedText(text).words, "\(text)")
            #expect(words.map(\.stem) == tokens.map { Fingerprint.of($0.stem) }, "\(text)")
            #expect(words.map(\.word) == tokens.map { Fingerprint.of($0.text) }, "\(text)")
            #expect(words.map(\.opensClause) == tokens.map(\.opensClause), "\(text)")
            #expect(words.map(\.isStopWord) == tokens.map(\.isStopWord), "\(text)")
        }
    }

    @Test func `begins a clause with every field and stops at the limit`() {
        let text = TokenizedText(fields: ["red wine", "glass of water"], limit: 4)
        #expect(text.words.map(\.opensClause) == [true, false, true, false])
        #expect(!text.contains(Phrase("wine glass")))
    }

    @Test func `matches many phrases in one pass exactly as one by one`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let vocabulary = ["wine", "tasting", "glass", "red", "painting", "painted", "cars.", "night"]
        func text(_ count: Int) -> String {
            (0..<count).map { _ in vocabulary[next(vocabulary.count)] }.joined(separator: " ")
        }
        for _ in 0..<100 {
            let phrases = (0..<12).map { Phrase(text(1 + next(3)), isExact: $0.isMultiple(of: 3)) } + [Phrase("")]
            let subject = TokenizedText(text(next(40)))
            let hits = PhraseMatcher(phrases).hits(in: subject)
            for (index, phrase) in phrases.enumerated() {
                let found = hits.filter { $0.phrase == index }.map(\.range)
                #expect(found == subject.positions(of: phrase), "seed \(seed)")
            }
        }
    }
}
