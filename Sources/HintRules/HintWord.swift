import TextEncoding
import TextReading

/// One word of a hint with what its surroundings say about it.
struct HintWord: Hashable, Sendable {
    /// Lower case, without diacritics.
    let text: String
    /// Its fingerprint.
    let fingerprint: UInt64
    /// The stem's fingerprint.
    let stemFingerprint: UInt64
    var kinds: WordKinds
    /// Could name a thing: no grammar, filler, person or plain verb.
    let isContent: Bool
    /// Written with a capital that no sentence start explains.
    let isName: Bool
    /// Written with a capital, for whatever reason.
    let isCapitalized: Bool
    /// Ends in an apostrophe and s and is followed by what is owned.
    var isPossessive: Bool
    /// Inside quotation marks: somebody's own words.
    let isQuoted: Bool
    let sentence: Int
    var clause: Int
    /// Begins with a digit.
    let isNumber: Bool

    /// A number in digits or words from three on: three of a thing are enough of it.
    var isMany: Bool {
        if let number = Int(text) { return number >= 3 && number < 200 }
        return RuleWords.manyNumbers.contains(text)
    }

    init(
        _ form: RuleWords.Form,
        isName: Bool,
        isCapitalized: Bool,
        isPossessive: Bool,
        isQuoted: Bool,
        sentence: Int,
        clause: Int
    ) {
        let text = form.text
        let fingerprint = Fingerprint.of(text)
        let kinds = WordKinds.of(fingerprint)
        let startsWithDigit = text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
        self.text = text
        self.fingerprint = fingerprint
        stemFingerprint = form.stemFingerprint
        self.kinds = kinds
        self.isNumber = startsWithDigit
        isContent =
            !kinds.contains(.nameless) && !startsWithDigit && text.utf8.count > 1 && !form.isStopWord
            && !RuleWords.isPlainVerb(form.stemFingerprint) && !RuleWords.isAdverb(text)
        self.isName = isName
        self.isCapitalized = isCapitalized
        self.isPossessive = isPossessive
        self.isQuoted = isQuoted
        self.sentence = sentence
        self.clause = clause
    }
}

/// The classes a word belongs to, looked up once when a hint is read.
struct WordKinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let partnerPronoun = WordKinds(rawValue: 1 << 0)
    static let partnerSubject = WordKinds(rawValue: 1 << 1)
    static let couplePronoun = WordKinds(rawValue: 1 << 2)
    static let relation = WordKinds(rawValue: 1 << 3)
    static let nameless = WordKinds(rawValue: 1 << 4)
    static let trouble = WordKinds(rawValue: 1 << 5)
    static let liking = WordKinds(rawValue: 1 << 6)
    static let timetable = WordKinds(rawValue: 1 << 7)
    static let calendar = WordKinds(rawValue: 1 << 8)
    static let refusal = WordKinds(rawValue: 1 << 9)
    static let wanting = WordKinds(rawValue: 1 << 10)
    static let time = WordKinds(rawValue: 1 << 11)
    static let window = WordKinds(rawValue: 1 << 12)
    static let turning = WordKinds(rawValue: 1 << 13)
    static let broken = WordKinds(rawValue: 1 << 14)
    static let joining = WordKinds(rawValue: 1 << 15)
    static let subjectPronoun = WordKinds(rawValue: 1 << 16)
    /// After it a word is a verb or an adjective.
    static let beforeNoThing = WordKinds(rawValue: 1 << 17)
    static let nearness = WordKinds(rawValue: 1 << 18)
    /// Begins one of the fixed turns of phrase.
    static let mark = WordKinds(rawValue: 1 << 19)
    /// Wants something, whatever it is.
    static let yearning = WordKinds(rawValue: 1 << 20)
    /// The partner by what they are.
    static let spouse = WordKinds(rawValue: 1 << 21)
    static let animal = WordKinds(rawValue: 1 << 22)

    /// The classes of the folded word with this fingerprint; most words have none.
    static func of(_ word: UInt64) -> WordKinds {
        let table = table
        return table.numbers[word].map { table.kinds[$0] } ?? []
    }

    /// The sections of `words.txt` whose words are of a class.
    private static let sections: [(WordKinds, [String])] = [
        (.partnerPronoun, ["partner pronouns"]), (.partnerSubject, ["partner subjects"]),
        (.couplePronoun, ["couple pronouns"]), (.relation, ["relations"]),
        (.nameless, ["generic", "fillers", "relations", "many numbers"]), (.trouble, ["troubles"]),
        (.liking, ["likings"]), (.timetable, ["timetables"]), (.calendar, ["months and days"]),
        (.refusal, ["refusal openers"]), (.wanting, ["wanting verbs"]), (.time, ["months and days", "time words"]),
        (.window, ["window words"]), (.turning, ["turning"]), (.broken, ["broken"]), (.joining, ["joining"]),
        (.subjectPronoun, ["subject pronouns"]), (.beforeNoThing, ["before no thing"]), (.nearness, ["near words"]),
        (.yearning, ["yearnings"]), (.spouse, ["spouses"]), (.animal, ["animals"]),
    ]

    /// Made of the tables' bytes and not of the reader's sets, most of which most notes never ask for.
    private static let table: (numbers: FingerprintTable, kinds: [WordKinds]) = {
        var numbers = FingerprintTable(capacity: 2_048)
        var table: [WordKinds] = []
        func insert(_ kind: WordKinds, _ word: UInt64) {
            let number = numbers.number(of: word)
            if number == table.count { table.append([]) }
            table[number].insert(kind)
        }
        for (kind, sections) in sections {
            for section in sections { for word in TableText.words.fingerprints(section) { insert(kind, word) } }
        }
        for word in LimitRule.absences { insert(.window, Fingerprint.of(word)) }
        for list in Patterns.all { for first in list.firstWords { insert(.mark, first) } }
        return (numbers, table)
    }()
}

/// A set of a hint's words, by their places; a hint is short, so each place has its mark.
struct WordPlaces: Sendable {
    private var marks: [Bool]
    private(set) var isEmpty = true

    /// None of so many words.
    init(count: Int) {
        marks = [Bool](repeating: false, count: count)
    }

    mutating func insert(_ range: Range<Int>) {
        for place in range where marks.indices.contains(place) {
            marks[place] = true
            isEmpty = false
        }
    }

    func contains(_ place: Int) -> Bool { marks.indices.contains(place) && marks[place] }
}
