/// What tokenizer and stemmer look words up in, by fingerprint; fetched once for each text.
final class WordTables: Sendable {
    /// A stem with its fingerprint.
    struct Stem: Sendable {
        let text: String
        let fingerprint: UInt64
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
            stems.append(Stem(text: stem, fingerprint: Fingerprint.of(stem)))
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
            let fingerprint = Fingerprint.of(text)
            return switch Stemmer.stem(&word, fingerprint: fingerprint, tables) {
            case .unchanged: KnownWord(text: text, stem: Stem(text: text, fingerprint: fingerprint))
            case .irregular(let stem): KnownWord(text: text, stem: stem)
            case .changed(let stem): KnownWord(text: text, stem: Stem(text: word.text, fingerprint: stem))
            }
        }
        stopStems = knownWords.map(\.stem.fingerprint)
    }

    /// The number of the stop word with this fingerprint.
    func stopWord(_ fingerprint: UInt64) -> Int? { stopWords[fingerprint] }

    func knownWord(_ stopWord: Int) -> KnownWord { knownWords[stopWord] }

    /// The fingerprint of a stop word's stem.
    func stem(ofStopWord number: Int) -> UInt64 { stopStems[number] }

    /// The stem of a word that the rules would get wrong.
    func irregularStem(of word: WordLetters, fingerprint: UInt64) -> Stem? {
        let letter = Int(word[0]) - Int(UInt8(ascii: "a"))
        // Most words are told by their first letter and length.
        guard letter >= 0, letter < 26, word.count < 64, irregularLengths[letter] & (1 << UInt64(word.count)) != 0
        else {
            return nil
        }
        return irregulars[fingerprint].map { irregularStems[$0] }
    }

    /// Whether a word in -ing is a noun of its own.
    func isNoun(_ word: WordLetters) -> Bool { nouns[word.fingerprint] != nil }

    /// Whether a word that ends in one "s" is no plural.
    func isSingular(_ word: WordLetters, fingerprint: UInt64) -> Bool {
        let count = word.count
        if count >= 5, word[count - 2] == UInt8(ascii: "i"), word[count - 1] == UInt8(ascii: "s") {
            switch (word[count - 4], word[count - 3]) {
            case (UInt8(ascii: "y"), UInt8(ascii: "s")), (UInt8(ascii: "e"), UInt8(ascii: "s")),
                (UInt8(ascii: "a"), UInt8(ascii: "s")), (UInt8(ascii: "i"), UInt8(ascii: "t")):
                return true
            default: break
            }
        }
        return singulars[fingerprint] != nil
    }
}

/// English function words that say nothing about what a text is about.
package enum StopWords {
    /// Whether a folded word carries grammar rather than meaning.
    package static func contains(_ word: String) -> Bool { table[Fingerprint.of(word)] != nil }

    static let table = FingerprintTable(of: numbered)

    /// Each word once, in the order of the table's numbers.
    static let numbered: [String] = {
        var seen: Set<Substring> = []
        return words.split(separator: " ").filter { seen.insert($0).inserted }.map(String.init)
    }()

    private static let words =
        """
        a an the this that these those and or but nor so yet if then than because while although though as of at by for \
        from in into on onto off out over under up down to toward towards with without within about above across after \
        against along among around before behind below beneath beside besides between beyond during except inside near \
        per since through throughout till until upon via i me my mine myself we us our ours ourselves you your yours \
        yourself he him his himself she her hers herself it its itself they them their theirs themselves who whom whose \
        which what when where why how am is are was were be been being do does did doing done have has had having can \
        could may might must shall should will would ought not no yes all any both each either every few less least many \
        more most much neither none one only other others own same several some such too very just also even ever never \
        again further here there now once always often still already again else etc get gets got let lets im ive dont
        """
}

/// What an apostrophe joined to a word: dropped, or told as a negation.
enum Clitics {
    /// Removes clitics and apostrophes from a folded word; true when the word carried "n't".
    static func remove(from word: inout WordLetters) -> Bool {
        let mark = UInt8(ascii: "'")
        while word.last == mark { word.removeLast() }
        guard let place = (0..<word.count).last(where: { word[$0] == mark }) else { return false }
        var isNegated = false
        if word.ends(in: "t", from: place + 1), place > 0, word[place - 1] == UInt8(ascii: "n") {
            isNegated = true
            word.cut(to: place - 1)
            restore(&word)
        } else if dropped.contains(where: { word.ends(in: $0, from: place + 1) }) {
            word.cut(to: place)
        }
        for index in (0..<word.count).reversed() where word[index] == mark { word.remove(at: index) }
        return isNegated
    }

    private static let dropped = ["s", "re", "ll", "ve", "d", "m"]

    /// "can't", "won't", "shan't" and "ain't" lose more than "n't".
    private static func restore(_ word: inout WordLetters) {
        for (short, full) in [("ca", "can"), ("wo", "will"), ("sha", "shall"), ("ai", "is")]
        where word.ends(in: short) {
            word = WordLetters(full.utf8)
            return
        }
    }
}
