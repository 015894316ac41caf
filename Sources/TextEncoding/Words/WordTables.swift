/// What tokenizer and stemmer look words up in, by fingerprint; fetched once for each text.
final class WordTables: Sendable {
    /// A stem with its fingerprint.
    struct Stem: Sendable {
        let text: String
        let print: UInt64
    }

    /// A word whose token is known before it is met.
    struct KnownWord: Sendable {
        let text: String
        let stem: Stem
    }

    static let shared = WordTables(WordTables())

    private let stopWords: FingerprintTable
    private let knownWords: [KnownWord]
    private let stopStems: [UInt64]
    private let irregulars: FingerprintTable
    private let irregularStems: [Stem]
    /// By first letter, a bit for each length that some exception has.
    private let irregularLengths: [UInt64]
    private let nouns: FingerprintTable
    private let singulars: FingerprintTable

    private init() {
        var irregulars = FingerprintTable(capacity: StemExceptions.irregular.count)
        var stems: [Stem] = []
        var lengths = [UInt64](repeating: 0, count: 26)
        for (word, stem) in StemExceptions.irregular {
            _ = irregulars.number(of: Fingerprint.of(word))
            stems.append(Stem(text: stem, print: Fingerprint.of(stem)))
            if let first = word.utf8.first { lengths[Int(first - UInt8(ascii: "a"))] |= 1 << UInt64(word.utf8.count) }
        }
        self.irregulars = irregulars
        irregularStems = stems
        irregularLengths = lengths
        nouns = FingerprintTable(of: StemExceptions.nouns)
        singulars = FingerprintTable(of: StemExceptions.singulars)
        stopWords = StopWords.table
        knownWords = []
        stopStems = []
    }

    /// The same tables, with the tokens of the stop words worked out by them.
    private init(_ tables: WordTables) {
        irregulars = tables.irregulars
        irregularStems = tables.irregularStems
        irregularLengths = tables.irregularLengths
        nouns = tables.nouns
        singulars = tables.singulars
        stopWords = tables.stopWords
        knownWords = StopWords.numbered.map { text in
            var word = WordLetters(text.utf8)
            let print = Fingerprint.of(text)
            return switch Stemmer.stem(&word, print: print, tables) {
            case .unchanged: KnownWord(text: text, stem: Stem(text: text, print: print))
            case .irregular(let stem): KnownWord(text: text, stem: stem)
            case .changed(let stem): KnownWord(text: text, stem: Stem(text: word.text, print: stem))
            }
        }
        stopStems = knownWords.map(\.stem.print)
    }

    /// The number of the stop word with this fingerprint.
    func stopWord(_ print: UInt64) -> Int? { stopWords[print] }

    func knownWord(_ stopWord: Int) -> KnownWord { knownWords[stopWord] }

    /// The fingerprint of a stop word's stem.
    func stem(ofStopWord number: Int) -> UInt64 { stopStems[number] }

    /// The stem of a word that the rules would get wrong.
    func irregularStem(of word: WordLetters, print: UInt64) -> Stem? {
        let letter = Int(word[0]) - Int(UInt8(ascii: "a"))
        // Most words are told by their first letter and length.
        guard letter >= 0, letter < 26, word.count < 64, irregularLengths[letter] & (1 << UInt64(word.count)) != 0
        else {
            return nil
        }
        return irregulars[print].map { irregularStems[$0] }
    }

    /// Whether a word in -ing is a noun of its own.
    func isNoun(_ word: WordLetters) -> Bool { nouns[word.fingerprint] != nil }

    /// Whether a word that ends in one "s" is no plural.
    func isSingular(_ word: WordLetters, print: UInt64) -> Bool {
        let count = word.count
        if count >= 5, word[count - 2] == UInt8(ascii: "i"), word[count - 1] == UInt8(ascii: "s") {
            switch (word[count - 4], word[count - 3]) {
            case (UInt8(ascii: "y"), UInt8(ascii: "s")), (UInt8(ascii: "e"), UInt8(ascii: "s")),
                (UInt8(ascii: "a"), UInt8(ascii: "s")), (UInt8(ascii: "i"), UInt8(ascii: "t")):
                return true
            default: break
            }
        }
        return singulars[print] != nil
    }
}
