import KnotDomain
import StageGraph
import Testing

@testable import TextReading

/// The quick search finds what a plain one finds.
@Suite("Text of the original") struct ClassicTextTests {
    /// The slow truth.
    private func stands(_ word: String, in text: String) -> Bool {
        let (word, text) = (Array(word.lowercased().utf8), Array(text.lowercased().utf8))
        guard !word.isEmpty else { return true }
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { Array(text[$0..<$0 + word.count]) == word }
    }

    @Test func `finds what stands anywhere and nothing else`() {
        let seed: UInt64 = 20_261_121
        var generator = SeededGenerator(seed: seed)
        let letters = Array("abcAB É ßéspaİ")
        func text(_ longest: UInt64) -> String {
            String(
                (0..<generator.next(upperBound: longest)).map { _ in letters.randomElement(using: &generator) ?? " " }
            )
        }
        for round in 0..<3_000 {
            let (whole, word) = (text(40), text(4))
            let found = ClassicText(whole).contains(ClassicWord(word))
            #expect(found == stands(word, in: whole), "seed \(seed), round \(round): \"\(word)\" in \"\(whole)\"")
        }
    }

    @Test(arguments: [
        ("A Cashmere scarf", Vibe.quietLuxury), ("HIP HOP class", .streetUrban), ("velocity", .streetUrban),
        ("Fresh air and a free-spirited walk", .outdoorsy), ("Fresh air and a free-spirited walk", .bohemian),
    ])
    func `tells the vibes by the original's words, inside others too`(text: String, vibe: Vibe) {
        #expect(ClassicVocabulary.says(ClassicText(text), vibe))
    }

    @Test func `tells no vibe and no love language of a text without their words`() {
        for text in ["", "a", "Kettle", "cashmer", "hip  hop"] {
            let text = ClassicText(text)
            #expect(text.marks.isEmpty)
        }
    }

    @Test func `a word may tell a vibe and a love language at once`() {
        let text = ClassicText("For couples")
        #expect(ClassicVocabulary.says(text, .romantic) && ClassicVocabulary.says(text, .physicalTouch))
        #expect(!ClassicVocabulary.says(text, .actsOfService))
    }
}
