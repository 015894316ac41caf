import CHintTables
import TextEncoding
import TextReading

/// The closed word classes of the rules: grammar, not taste.
///
/// `CHintTables/words.txt` holds them.
enum RuleWords {
    /// The words of a section of `CHintTables/words.txt`.
    static func set(_ section: String) -> Set<String> { Set(TableText.words.words(section)) }

    static func stem(_ word: String) -> String { Stemmer.stem(word) }

    /// The stems of a section's words.
    static func stems(ofThoseIn section: String) -> FingerprintTable {
        FingerprintTable(of: Stemmer.fingerprints(ofStemsOf: TableText.words.words(section)))
    }

    /// A word as the rules compare it, or one that a contraction stands for.
    struct Form: Sendable {
        let text: String
        /// The stem's fingerprint.
        let stemFingerprint: UInt64
        let isStopWord: Bool
    }

    /// What the contraction with this fingerprint stands for.
    static func forms(of word: UInt64) -> [Form]? { contractions.numbers[word].map { contractions.forms[$0] } }

    private static let contractions: (numbers: FingerprintTable, forms: [[Form]]) = {
        let entries = TableText.words.entries("contractions").map { TableText.list($0.text) }
        var numbers = FingerprintTable(capacity: entries.count)
        var forms: [[Form]] = []
        for words in entries {
            _ = numbers.number(of: Fingerprint.of(words[0]))
            forms.append(
                zip(words.dropFirst(), Stemmer.fingerprints(ofStemsOf: words.dropFirst())).map {
                    Form(text: $0, stemFingerprint: $1, isStopWord: StopWords.contains($0))
                }
            )
        }
        return (numbers, forms)
    }()

    static let titles = set("titles")
    static let pronouns = set("pronouns")
    static let copulas = set("copulas")

    static let partnerPronouns = set("partner pronouns")

    static let manyNumbers = set("many numbers")

    static let wishVerbs = set("wish verbs")

    /// Words that name no particular thing.
    static let generic = set("generic")

    /// Common verbs that name no thing a shop sells.
    private static let plainVerbs = stems(ofThoseIn: "plain verbs")

    /// Whether the stem with this fingerprint is such a verb's.
    static func isPlainVerb(_ stem: UInt64) -> Bool { plainVerbs[stem] != nil }

    /// By the fingerprints of their stems.
    static func isChore(_ stem: UInt64) -> Bool { chores[stem] != nil }

    private static let chores = stems(ofThoseIn: "chores")

    private static let lyNouns = set("ly nouns")

    /// "really", "barely": says how, not what.
    static func isAdverb(_ word: String) -> Bool {
        word.utf8.count > 4 && word.utf8.suffix(2).elementsEqual("ly".utf8) && !lyNouns.contains(word)
    }

    static let monthsAndDays = set("months and days")
}

extension TableText {
    /// The turns of phrase.
    static let patterns = TableText(EmbeddedTable.patterns)
    /// The word classes.
    static let words = TableText(EmbeddedTable.words)
}

/// The bytes of the reader's tables.
enum EmbeddedTable {
    // Proof for each: the table is constant data of the program, so many bytes long.
    static var patterns: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: knot_patterns(), count: knot_patterns_size()))
    }
    static var words: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: knot_words(), count: knot_words_size()))
    }
    static var conditions: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: knot_conditions(), count: knot_conditions_size()))
    }
    static var remedies: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: knot_remedies(), count: knot_remedies_size()))
    }
    static var tastes: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: knot_tastes(), count: knot_tastes_size()))
    }
}
