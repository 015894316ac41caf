import TextEncoding
import TextReading

/// A hint's words in sentences and clauses: a contrast or a comma ends what a "no" reaches.
struct HintText: Sendable {
    /// Longer texts are read up to here: a hint is a note, not a book.
    private static let byteLimit = 4_000
    private static let wordLimit = 400

    private(set) var words: [HintWord] = []
    /// The word ranges of the clauses, in order; none is empty.
    private(set) var clauses: [Range<Int>] = []
    /// The words behind which a mark opens a list of what is not borne: "allergies: nuts".
    private(set) var listHeads: [Int] = []
    /// The words behind which only a semicolon ends the sentence, so that a list may go on.
    private(set) var semicolons: [Int] = []

    init(_ text: String) {
        let isLong = text.utf8.count > Self.byteLimit
        // "30 Dec. – 2 Jan." is one stretch of days and not three sentences.
        let source = RangeSpelling.plain(
            isLong ? String(decoding: text.utf8.prefix(Self.byteLimit), as: UTF8.self) : text
        )
        let sourceBytes = Array(source.utf8)
        let tokens = Tokenizer.tokens(of: source, limit: Self.wordLimit)
        words.reserveCapacity(tokens.count + 4)
        var scan = Scan()
        for index in tokens.indices {
            let start = min(tokens[index].offset, sourceBytes.count)
            let next = index + 1 < tokens.count ? tokens[index + 1].offset : sourceBytes.count
            let slice = sourceBytes[start..<max(start, min(next, sourceBytes.count))]
            if index == 0, sourceBytes[..<start].contains(UInt8(ascii: "\"")) { scan.isQuoted = true }
            append(tokens[index], slice: slice, scan: &scan)
        }
        // "My girlfriend" is the partner, "her girlfriend" somebody else.
        for index in words.indices.dropFirst()
        where words[index].kinds.contains(.spouse) && ["my", "me"].contains(words[index - 1].text) {
            words[index].kinds.remove(.relation)
        }
        splitClauses()
    }

    /// What the scan remembers from word to word.
    private struct Scan {
        var sentence = 0
        var clause = 0
        var opensSentence = true
        var isQuoted = false
    }

    private mutating func append(_ token: Token, slice: ArraySlice<UInt8>, scan: inout Scan) {
        let isCapitalized = Self.startsUpper(slice)
        let marks = marks(in: slice, word: token.text)
        func append(_ form: RuleWords.Form) {
            words.append(
                HintWord(
                    form,
                    isName: isCapitalized && !scan.opensSentence && form.text != "i",
                    isCapitalized: isCapitalized,
                    isPossessive: marks.possessive,
                    isQuoted: scan.isQuoted,
                    sentence: scan.sentence,
                    clause: scan.clause
                )
            )
        }
        if let forms = RuleWords.forms(of: Fingerprint.of(token.text)) {
            for form in forms { append(form) }
        } else {
            append(RuleWords.Form(text: token.text, stemFingerprint: token.fingerprint, isStopWord: token.isStopWord))
        }
        if marks.opensList { listHeads.append(words.count - 1) }
        if marks.semicolon, !marks.endsSentence { semicolons.append(words.count - 1) }
        if marks.quotes % 2 == 1 { scan.isQuoted.toggle() }
        scan.opensSentence = false
        if marks.equals { append(Self.copula) }
        if marks.conditional, token.text == "i" { append(Self.conditional) }
        if marks.endsSentence || marks.semicolon, !RuleWords.titles.contains(token.text) {
            scan.sentence += 1
            scan.clause += 1
            scan.opensSentence = true
        } else if marks.endsClause {
            scan.clause += 1
        }
    }

    /// "pottery phase = over" reads as it is spoken.
    private static let copula = RuleWords.Form(
        text: "is",
        stemFingerprint: Fingerprint.of(RuleWords.stem("is")),
        isStopWord: true
    )

    /// "I'd" is far more often "I would" than "I had".
    private static let conditional = RuleWords.Form(
        text: "would",
        stemFingerprint: Fingerprint.of(RuleWords.stem("would")),
        isStopWord: true
    )

    private struct Marks {
        var possessive = false
        var equals = false
        var conditional = false
        var semicolon = false
        var opensList = false
        var endsSentence = false
        var endsClause = false
        var quotes = 0
    }

    private func marks(in slice: ArraySlice<UInt8>, word: String) -> Marks {
        var marks = Marks()
        if Self.isPlain(slice) { return marks }
        let text = String(decoding: slice, as: UTF8.self)
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case ":", "—", "–", "(", "-":
                let isHyphen = scalar == "-" && previous != " "
                if isHyphen { break }
                if Sensitivity.opensList(word, behind: words, byColon: scalar == ":") {
                    marks.opensList = true
                } else if scalar == "(" || scalar == "-" {
                    marks.endsClause = true
                } else {
                    marks.endsSentence = true
                }
            case ";": marks.semicolon = true
            case ".", "!", "?", "\n", "…":
                if !(scalar == "." && previous.properties.numericType != nil && !text.hasSuffix(" ")) {
                    marks.endsSentence = true
                }
            case "=": marks.equals = true
            case "+" where previous == " ": marks.endsClause = true
            case ",", ")", "/": marks.endsClause = true
            case "\"", "“", "”", "«", "»": marks.quotes += 1
            case "s", "S": if previous == "'" || previous == "’" { marks.possessive = true }
            case "d", "D": if previous == "'" || previous == "’" { marks.conditional = true }
            default: break
            }
            previous = scalar
        }
        return marks
    }

    /// Most words: letters, digits and at most one space behind them, which mark nothing.
    private static func isPlain(_ slice: ArraySlice<UInt8>) -> Bool {
        let word = slice.last == 0x20 ? slice.dropLast() : slice
        return word.allSatisfy { byte in
            let lower = byte | 0x20
            return lower &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
    }

    private static func startsUpper(_ slice: ArraySlice<UInt8>) -> Bool {
        if let first = slice.first, first < 0x80 { return first &- UInt8(ascii: "A") < 26 }
        return startsUpperElsewhere(slice)
    }

    private static func startsUpperElsewhere(_ slice: ArraySlice<UInt8>) -> Bool {
        String(decoding: slice.prefix(4), as: UTF8.self).unicodeScalars.first?.properties.isUppercase ?? false
    }

    private mutating func splitClauses() {
        var clause = 0
        for index in words.indices {
            let isNew = index > 0 && (words[index].clause != originalClause(index - 1) || opensClause(at: index))
            if isNew { clause += 1 }
            seen.append(words[index].clause)
            words[index].clause = clause
        }
        seen = []
        var start = 0
        for index in words.indices where index + 1 == words.count || words[index + 1].clause != words[index].clause {
            clauses.append(start..<(index + 1))
            start = index + 1
        }
        for index in words.indices where words[index].isPossessive {
            let isOwner =
                index + 1 < words.count && words[index + 1].clause == words[index].clause
                && !RuleWords.pronouns.contains(words[index].text) && !RuleWords.copulas.contains(words[index + 1].text)
            words[index].isPossessive = isOwner
        }
    }

    private var seen: [Int] = []

    private func originalClause(_ index: Int) -> Int { seen[index] }

    /// Conjunctions that turn to something else, and "and" or "so" before a new subject.
    private func opensClause(at index: Int) -> Bool {
        let isExcepting = index > 0 && ["anything", "nothing"].contains(words[index - 1].text)
        if words[index].kinds.contains(.turning) { return !isExcepting }
        guard words[index].kinds.contains(.joining), index + 1 < words.count else { return false }
        return words[index + 1].kinds.contains(.subjectPronoun)
    }

    // MARK: - Questions

    func contains(_ kind: WordKinds) -> Bool { words.contains { $0.kinds.contains(kind) } }

    func kinds(_ index: Int) -> WordKinds { words.indices.contains(index) ? words[index].kinds : [] }

    func text(_ index: Int) -> String { words.indices.contains(index) ? words[index].text : "" }

    /// Whether these exact words stand here.
    func has(_ phrase: [String], at index: Int) -> Bool {
        guard index >= 0, index + phrase.count <= words.count else { return false }
        return phrase.indices.allSatisfy { words[index + $0].text == phrase[$0] }
    }

    /// The same, the words given by their fingerprints.
    func has(_ phrase: [UInt64], at index: Int) -> Bool {
        guard index >= 0, index + phrase.count <= words.count else { return false }
        for offset in phrase.indices where words[index + offset].fingerprint != phrase[offset] { return false }
        return true
    }

    func contains(anyOf set: Set<String>) -> Bool { words.contains { set.contains($0.text) } }

    /// The same for a handful of words, which a list is quicker for.
    func contains(anyOf list: [String]) -> Bool { words.contains { list.contains($0.text) } }

    func clause(of index: Int) -> Range<Int> { clauses[words[index].clause] }
}
