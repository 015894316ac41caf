/// The state of one pass over a text's UTF-8, with a short way for ASCII.
struct TokenScanner {
    /// A word keeps at most this many bytes: the rest of a hostile "word" is read over, not stored.
    static let longestWord = 96

    /// What is kept of each word.
    enum Yield {
        /// The words with their letters, in `tokens`.
        case tokens
        /// The same, each word its own stem: for whoever wants the words alone.
        case unstemmed
        /// Numbers only, in `fingerprints`: no letters are kept, and no memory is asked for them.
        case fingerprints
        /// The same, and in `pieces` what stands in for the stems of words that have none.
        case fingerprintsAndPieces
    }

    private let tables = WordTables.shared
    private let limit: Int
    private let yield: Yield
    private var word = WordLetters()
    /// The fingerprint of the word so far, as long as it is made of ASCII letters and digits alone.
    private var wordFingerprint = Fingerprint.empty
    private var wordStart = 0
    private var hasApostrophe = false
    private var hasScalars = false
    private var isASCII = true
    private var opensClause = true
    private var opensSentence = true
    /// How many words were read so far.
    private(set) var count = 0
    private(set) var tokens: [Token] = []
    private(set) var fingerprints: [WordFingerprint] = []
    /// Of words that no stemmer knows, the fingerprints of their runs of characters.
    private(set) var pieces: [UInt64] = []
    private var isOfNumbers: Bool { yield == .fingerprints || yield == .fingerprintsAndPieces }

    init(limit: Int, yield: Yield) {
        self.limit = max(0, limit)
        self.yield = yield
    }

    /// The words read since the last time, as numbers; the next text begins a new list.
    mutating func takeFingerprints() -> [WordFingerprint] {
        defer {
            fingerprints = []
            count = 0
        }
        return fingerprints
    }

    /// Makes room for the words of so many bytes.
    mutating func reserve(bytes: Int) {
        let words = min(limit, bytes / 5 + 2)
        if isOfNumbers { fingerprints.reserveCapacity(words) } else { tokens.reserveCapacity(words) }
    }

    /// Reads one text; a clause begins with it.
    mutating func read(_ text: String) { read(text.utf8.span) }

    /// Reads the UTF-8 of one text.
    mutating func read(_ text: Span<UInt8>) {
        if count == 0 { reserve(bytes: text.count) }
        opensClause = true
        opensSentence = true
        scan(text)
        if tokens.count > limit { tokens.removeLast(tokens.count - limit) }
        if fingerprints.count > limit { fingerprints.removeLast(fingerprints.count - limit) }
        count = min(count, limit)
    }

    private mutating func scan(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, count < limit {
            let byte = bytes[index]
            if WordLetters.folded(byte) != 0 {
                if word.isEmpty { wordStart = index }
                index = word.appendRun(of: bytes, from: index, longest: Self.longestWord, fingerprint: &wordFingerprint)
            } else if byte < 0x80 {
                readMark(byte, bytes, at: index)
                index += 1
            } else {
                index = readScalar(bytes, at: index)
            }
        }
        endWord()
    }

    private mutating func readMark(_ byte: UInt8, _ bytes: Span<UInt8>, at index: Int) {
        switch byte {
        case 0x20: endWord()
        case UInt8(ascii: "'"): apostrophe()
        case UInt8(ascii: "&"):
            endWord()
            emit("and", at: index)
        case UInt8(ascii: "."): period(bytes, at: index)
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ";"), UInt8(ascii: ":"), 0x0A: endSentence()
        case UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "|"):
            endClause()
        default: endWord()
        }
    }

    /// An abbreviation, an initial or a decimal point ends no clause; a sentence may end with an abbreviation.
    private mutating func period(_ bytes: Span<UInt8>, at index: Int) {
        let isAbbreviation = word.count <= 2 && !word.isEmpty
        let next = index + 1
        let isFollowedBySpace = next == bytes.count || bytes[next] <= 0x20 || bytes[next] >= 0x80
        if isAbbreviation || !isFollowedBySpace { endWord() } else { endClause() }
        if isFollowedBySpace { opensSentence = true }
    }

    /// Reads one scalar outside ASCII and returns the place behind it.
    private mutating func readScalar(_ bytes: Span<UInt8>, at start: Int) -> Int {
        // A String's UTF-8 is always well formed, so the lead byte alone says how long the scalar is.
        let lead = UInt32(bytes[start])
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        var value = lead & (0xFF >> UInt32(length + 1))
        for offset in 1..<length where start + offset < bytes.count {
            value = value << 6 | UInt32(bytes[start + offset] & 0x3F)
        }
        read(Unicode.Scalar(value) ?? " ", at: start)
        return start + length
    }

    private mutating func read(_ scalar: Unicode.Scalar, at start: Int) {
        switch ScalarRole(scalar) {
        case .ignored: break
        case .apostrophe: apostrophe()
        case .separator: endWord()
        case .clauseEnd: scalar == "\u{2026}" ? endSentence() : endClause()
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

    private mutating func append(_ scalar: Unicode.Scalar) {
        guard word.count + 8 < Self.longestWord else { return }
        LetterFolding.append(scalar, to: &word)
        hasScalars = true
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

    private mutating func endSentence() {
        endClause()
        opensSentence = true
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        let isNegated = hasApostrophe ? Clitics.remove(from: &word) : false
        if hasApostrophe || hasScalars { wordFingerprint = word.fingerprint }
        if !word.isEmpty { emitWord() }
        if isNegated { emit("not", at: wordStart) }
        word.removeAll()
        wordFingerprint = Fingerprint.empty
        hasApostrophe = false
        hasScalars = false
        isASCII = true
    }

    private mutating func emitWord() {
        let number = tables.stopWord(wordFingerprint)
        guard isOfNumbers else { return emitToken(stopWord: number) }
        if let number { return emitFingerprint(stem: tables.stem(ofStopWord: number), isStopWord: true) }
        guard isASCII else {
            if yield == .fingerprintsAndPieces { pieces += word.pieces }
            return emitFingerprint(stem: wordFingerprint, isStopWord: false)
        }
        switch Stemmer.stem(&word, fingerprint: wordFingerprint, tables) {
        case .unchanged: emitFingerprint(stem: wordFingerprint, isStopWord: false)
        case .irregular(let stem): emitFingerprint(stem: stem.fingerprint, isStopWord: false)
        case .changed(let stem): emitFingerprint(stem: stem, isStopWord: false)
        }
    }

    private mutating func emitFingerprint(stem: UInt64, isStopWord: Bool) {
        append(stem: stem, word: wordFingerprint, isStopWord: isStopWord)
        finishWord()
    }

    private mutating func append(stem: UInt64, word: UInt64, isStopWord: Bool) {
        fingerprints.append(
            WordFingerprint(
                stem: stem,
                word: word,
                opensClause: opensClause,
                opensSentence: opensSentence,
                isStopWord: isStopWord
            )
        )
    }

    private mutating func emitToken(stopWord number: Int?) {
        if let number {
            let known = tables.knownWord(number)
            return emit(known.text, known.stem, isStopWord: true, at: wordStart)
        }
        let text = word.text
        var stem = WordTables.Stem(text: text, fingerprint: wordFingerprint)
        if isASCII, yield == .tokens {
            switch Stemmer.stem(&word, fingerprint: wordFingerprint, tables) {
            case .unchanged: break
            case .irregular(let known): stem = known
            case .changed(let fingerprint): stem = WordTables.Stem(text: word.text, fingerprint: fingerprint)
            }
        }
        emit(text, stem, isStopWord: false, at: wordStart)
    }

    /// A stop word that stands for something else in the text, and is its own stem.
    private mutating func emit(_ stopWord: String, at offset: Int) {
        let fingerprint = Fingerprint.of(stopWord)
        if isOfNumbers {
            append(stem: fingerprint, word: fingerprint, isStopWord: true)
            finishWord()
        } else {
            emit(stopWord, WordTables.Stem(text: stopWord, fingerprint: fingerprint), isStopWord: true, at: offset)
        }
    }

    private mutating func emit(_ text: String, _ stem: WordTables.Stem, isStopWord: Bool, at offset: Int) {
        tokens.append(
            Token(text: text, stem: stem, isStopWord: isStopWord, offset: offset, opensClause: opensClause)
        )
        finishWord()
    }

    private mutating func finishWord() {
        count += 1
        opensClause = false
        opensSentence = false
    }
}
