/// The state of one pass over a text's UTF-8, with a short way for ASCII.
struct TokenScanner {
    /// A word keeps at most this many bytes: the rest of a hostile "word" is read over, not stored.
    static let longestWord = 96

    private let tables = WordTables.shared
    private let limit: Int
    /// False for whoever wants the words alone: each is then its own stem.
    private let findsStems: Bool
    private var bytes: [UInt8] = []
    private var index = 0
    private var word: [UInt8] = []
    private var wordStart = 0
    private var hasApostrophe = false
    private var isASCII = true
    private var opensClause = true
    /// The words of everything read so far.
    private(set) var tokens: [Token] = []

    init(limit: Int, findsStems: Bool = true) {
        self.limit = max(0, limit)
        self.findsStems = findsStems
        word.reserveCapacity(Self.longestWord)
    }

    /// Reads one text; a clause begins with it.
    mutating func read(_ text: String) {
        bytes = Array(text.utf8)
        index = 0
        opensClause = true
        if tokens.isEmpty { tokens.reserveCapacity(min(limit, bytes.count / 6 + 1)) }
        while index < bytes.count, tokens.count < limit {
            let byte = bytes[index]
            if Self.folded(byte) != 0 {
                readLetters()
            } else if byte < 0x80 {
                readMark(byte)
                index += 1
            } else {
                readScalar()
            }
        }
        endWord()
        if tokens.count > limit { tokens.removeLast(tokens.count - limit) }
    }

    /// An ASCII letter in lower case or a digit; 0 for every other byte.
    private static func folded(_ byte: UInt8) -> UInt8 {
        let lower = byte | 0x20
        if lower &- UInt8(ascii: "a") < 26 { return lower }
        return byte &- UInt8(ascii: "0") < 10 ? byte : 0
    }

    /// Reads ASCII letters and digits up to the next byte that is neither.
    private mutating func readLetters() {
        if word.isEmpty { wordStart = index }
        var place = index
        while place < bytes.count {
            let letter = Self.folded(bytes[place])
            if letter == 0 { break }
            if word.count < Self.longestWord { word.append(letter) }
            place += 1
        }
        index = place
    }

    private mutating func readMark(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "'"): apostrophe()
        case UInt8(ascii: "&"):
            endWord()
            emit("and", at: index)
        case UInt8(ascii: "."): period()
        case UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ";"), UInt8(ascii: ":"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "|"), 0x0A:
            endClause()
        default: endWord()
        }
    }

    /// An abbreviation, an initial or a decimal point ends no clause.
    private mutating func period() {
        let isAbbreviation = word.count <= 2 && !word.isEmpty
        let next = index + 1
        let isFollowedBySpace = next == bytes.count || bytes[next] <= 0x20 || bytes[next] >= 0x80
        if isAbbreviation || !isFollowedBySpace { endWord() } else { endClause() }
    }

    private mutating func readScalar() {
        let start = index
        let scalar = nextScalar()
        switch ScalarRole(scalar) {
        case .ignored: break
        case .apostrophe: apostrophe()
        case .separator: endWord()
        case .clauseEnd: endClause()
        case .symbolWord:
            endWord()
            wordStart = start
            append(scalar)
            endWord()
        case .word:
            if word.isEmpty { wordStart = start }
            append(scalar)
        }
    }

    /// A String's UTF-8 is always well formed, so the lead byte alone says how long the scalar is.
    private mutating func nextScalar() -> Unicode.Scalar {
        let lead = UInt32(bytes[index])
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        var value = lead & (0xFF >> UInt32(length + 1))
        for offset in 1..<length where index + offset < bytes.count {
            value = value << 6 | UInt32(bytes[index + offset] & 0x3F)
        }
        index += length
        return Unicode.Scalar(value) ?? " "
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        guard word.count + 8 < Self.longestWord else { return }
        LetterFolding.append(scalar, to: &word)
        isASCII = isASCII && word.last.map { $0 < 0x80 } ?? true
    }

    private mutating func apostrophe() {
        guard !word.isEmpty, word.count < Self.longestWord else { return }
        word.append(UInt8(ascii: "'"))
        hasApostrophe = true
    }

    private mutating func endClause() {
        endWord()
        opensClause = true
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        let isNegated = hasApostrophe ? Clitics.remove(from: &word) : false
        if !word.isEmpty { emitWord() }
        if isNegated { emit("not", at: wordStart) }
        word.removeAll(keepingCapacity: true)
        hasApostrophe = false
        isASCII = true
    }

    private mutating func emitWord() {
        let print = Fingerprint.of(word)
        if let known = tables.stopWord(print) {
            return emit(known.text, known.stem, isStopWord: true, at: wordStart)
        }
        let text = String(decoding: word, as: UTF8.self)
        let stem =
            isASCII && findsStems
            ? Stemmer.stem(&word, text: text, print: print, tables) : WordTables.Stem(text: text, print: print)
        emit(text, stem, isStopWord: false, at: wordStart)
    }

    /// A stop word that stands for something else in the text, and is its own stem.
    private mutating func emit(_ stopWord: String, at offset: Int) {
        emit(stopWord, WordTables.Stem(text: stopWord, print: Fingerprint.of(stopWord)), isStopWord: true, at: offset)
    }

    private mutating func emit(_ text: String, _ stem: WordTables.Stem, isStopWord: Bool, at offset: Int) {
        tokens.append(
            Token(text: text, stem: stem, isStopWord: isStopWord, offset: offset, opensClause: opensClause)
        )
        opensClause = false
    }
}
