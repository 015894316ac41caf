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
                words.dropFirst().map {
                    Form(text: $0, stemFingerprint: Fingerprint.of(stem($0)), isStopWord: StopWords.contains($0))
                }
            )
        }
        return (numbers, forms)
    }()

    static let titles = set("titles")
    static let turning = set("turning")
    static let joining = set("joining")
    static let subjectPronouns = set("subject pronouns")
    static let pronouns = set("pronouns")
    static let copulas = set("copulas")

    static let partnerPronouns = set("partner pronouns")
    static let partnerSubjects = set("partner subjects")
    static let couplePronouns = set("couple pronouns")

    static let relations = set("relations")

    static let spouses = set("spouses")
    static let animals = set("animals")

    static let manyNumbers = set("many numbers")

    static let wishVerbs = set("wish verbs")
    static let fillers = set("fillers")

    /// Words that name no particular thing.
    static let generic = set("generic")

    /// Common verbs that name no thing a shop sells.
    private static let plainVerbs: Set<String> = Set(
        set("plain verbs").map(stem)
    )

    /// Whether the stem with this fingerprint is such a verb's.
    static func isPlainVerb(_ stem: UInt64) -> Bool { plainVerbNumbers[stem] != nil }

    private static let plainVerbNumbers = FingerprintTable(of: plainVerbs)

    /// By the fingerprints of their stems.
    static func isChore(_ stem: UInt64) -> Bool { choreNumbers[stem] != nil }

    private static let choreNumbers = FingerprintTable(of: chores)

    private static let chores = Set(
        set("chores").map(stem)
    )

    /// After these a word is a verb or an adjective, not the name of a thing.
    static let beforeNoThing = set("before no thing")

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
