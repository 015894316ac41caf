import Testing
import TextEncoding

@testable import TextReading

/// Every section of the cues says by a sentence what it is for, and every turn of phrase by one of its own.
@Suite("The tables of cues") struct CueTableTests {
    private static let turns = "turns against"

    @Test(arguments: TableText.cues.names.filter { $0 != turns })
    func `a list of words has a sentence with one of them`(section: String) {
        let entries = TableText.cues.entries(section)
        let sentences = entries.flatMap(TableText.cues.sentences)
        #expect(!sentences.isEmpty, "[\(section)] has no sentence: put one below it, indented")
        let stems = Set(TableText.cues.words(section).map(Stemmer.stem))
        for sentence in sentences {
            let words = Tokenizer.words(of: sentence)
            #expect(
                words.contains { stems.contains(Stemmer.stem($0)) },
                "[\(section)] no word of it is in: \(sentence)"
            )
        }
    }

    @Test func `a turn that speaks against its thing is found in its sentence`() {
        for entry in TableText.cues.entries(Self.turns) {
            let sentences = TableText.cues.sentences(of: entry)
            #expect(!sentences.isEmpty, "\(entry.text) has no sentence: put one below it, indented")
            for sentence in sentences {
                #expect(
                    TokenizedText(sentence).contains(Phrase(entry.text, isExact: true)),
                    "\(entry.text): \(sentence)"
                )
                #expect(SpeaksAgainst.isIn(sentence), "\(sentence)")
            }
        }
    }

    @Test func `no list has a word twice`() {
        for section in TableText.cues.names where section != Self.turns {
            let words = TableText.cues.words(section)
            let repeated = Set(words.filter { word in words.count { $0 == word } > 1 })
            #expect(repeated.isEmpty, "[\(section)]")
        }
    }
}
