/// The state of one pass over a text's UTF-8, with a short way for ASCII.
struct TokenScanner {
    /// A word keeps at most this many bytes: the rest of a hostile "word" is read over, not stored.
    static let longestWord = 96

    private let stopWords = StopWords.table
    private let bytes: [UInt8]
    private let limit: Int
    private var index = 0
    private var word: [UInt8] = []
    private var wordStart = 0
    private var hasApostrophe = false
    private var isASCII = true
    private var opensClause = true
    private var tokens: [Token] = []

    init(bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = max(0, limit)
        word.reserveCapacity(Self.longestWord)
        tokens.reserveCapacity(min(self.limit, bytes.count / 6 + 1))
    }

    mutating func scan() -> [Token] {
        while index < bytes.count, tokens.count < limit {
            let byte = bytes[index]
            if byte < 0x80 {
                readASCII(byte)
                index += 1
            } else {
                readScalar()
            }
        }
        endWord()
        if tokens.count > limit { tokens.removeLast(tokens.count - limit) }
        return tokens
    }

    private mutating func readASCII(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): append(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): append(byte | 0x20)
        case UInt8(ascii: "'"): apostrophe()
        case UInt8(ascii: "&"):
            endWord()
            emit("and", stem: "and", at: index)
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

    private mutating func append(_ byte: UInt8) {
        if word.isEmpty { wordStart = index }
        if word.count < Self.longestWord { word.append(byte) }
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
        if !word.isEmpty {
            let text = String(decoding: word, as: UTF8.self)
            emit(text, stem: isASCII ? Stemmer.stem(&word, text: text) : text, at: wordStart)
        }
        if isNegated { emit("not", stem: "not", at: wordStart) }
        word.removeAll(keepingCapacity: true)
        hasApostrophe = false
        isASCII = true
    }

    private mutating func emit(_ text: String, stem: String, at offset: Int) {
        tokens.append(
            Token(text: text, stem: stem, offset: offset, opensClause: opensClause, stopWords: stopWords)
        )
        opensClause = false
    }
}
