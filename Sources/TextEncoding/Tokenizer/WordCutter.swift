/// Gathers the letters of a text into words and looks their pieces up.
struct WordCutter {
    private let tokenizer: BertTokenizer
    private let characters: BertCharacters
    /// The most tokens besides the one that starts the text.
    let most: Int
    /// The tokens so far, from the one that starts the text; they may be more than `most` by one word.
    var numbers: [UInt32]

    private var word: [UInt8] = []
    private var wordLength = 0
    /// Marks that wait for the next letter, in their canonical order.
    private var marks: [(order: UInt8, scalar: UInt32)] = []
    private var hashes: [UInt64] = []

    init(_ tokenizer: BertTokenizer, most: Int) {
        self.tokenizer = tokenizer
        self.most = most
        characters = .shared
        numbers = [tokenizer.start]
    }

    /// Whether nothing that follows can change the tokens that are kept.
    var isFull: Bool { numbers.count > most + 1 }

    mutating func append(_ number: UInt32) { numbers.append(number) }

    mutating func take(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): push(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): push(tokenizer.settings.lowersCase ? byte | 0x20 : byte)
        case 0x20, 0x09, 0x0A, 0x0D: endWord()
        case 0x21...0x7E:
            endWord()
            push(byte)
            endWord()
        case 0x0B, 0x0C:
            // White space all the same where the text is not cleaned.
            if !tokenizer.settings.cleansText { endWord() }
        default:
            if !tokenizer.settings.cleansText { push(byte) }
        }
    }

    /// Takes a character beyond ASCII and returns the place of the next one.
    mutating func take(_ bytes: Span<UInt8>, at place: Int) -> Int {
        let (scalar, length) = Self.scalar(in: bytes, at: place)
        let entry = characters[scalar]
        let settings = tokenizer.settings
        if settings.cleansText, entry.isRemoved || scalar == 0xFFFD { return place + length }
        if entry.isWhite {
            endWord()
        } else if settings.separatesIdeographs, entry.isIdeograph {
            endWord()
            takeApart(scalar, entry)
            endWord()
        } else {
            takeApart(scalar, entry)
        }
        return place + length
    }

    private mutating func takeApart(_ scalar: UInt32, _ entry: BertCharacters.Entry) {
        guard tokenizer.settings.stripsAccents else { return lower(scalar, entry) }
        if entry.isStripped {
            if entry.isBase { placeMarks() }
        } else if (0xAC00..<0xD7A4).contains(scalar) {
            // Syllables of Hangul come apart by arithmetic.
            let place = scalar - 0xAC00
            push(0x1100 + place / 588)
            push(0x1161 + place % 588 / 28)
            if place % 28 > 0 { push(0x11A7 + place % 28) }
        } else if entry.decomposition != 0 {
            var parts: [UInt32] = []
            characters.forEach(at: entry.decomposition) { parts.append($0) }
            for part in parts { lower(part, part < 0x80 ? BertCharacters.Entry() : characters[part]) }
        } else {
            lower(scalar, entry)
        }
    }

    private mutating func lower(_ scalar: UInt32, _ entry: BertCharacters.Entry) {
        if scalar < 0x80 {
            take(ascii: UInt8(scalar))
        } else if tokenizer.settings.lowersCase, entry.lowerCase != 0 {
            var parts: [UInt32] = []
            characters.forEach(at: entry.lowerCase) { parts.append($0) }
            for part in parts { finish(part) }
        } else {
            finish(scalar)
        }
    }

    /// Takes a character as the words will have it.
    private mutating func finish(_ scalar: UInt32) {
        guard scalar >= 0x80 else { return push(UInt8(scalar)) }
        let entry = characters[scalar]
        if entry.isWhite {
            endWord()
        } else if entry.isPunctuation {
            endWord()
            push(scalar)
            endWord()
        } else if tokenizer.settings.stripsAccents, entry.order > 0 {
            let place = marks.lastIndex { $0.order <= entry.order }.map { $0 + 1 } ?? 0
            marks.insert((entry.order, scalar), at: place)
            if marks.count > tokenizer.settings.longestWord { placeMarks() }
        } else {
            push(scalar)
        }
    }

    private mutating func push(_ byte: UInt8) {
        if !marks.isEmpty { placeMarks() }
        wordLength += 1
        // A word that is too long is unknown, whatever its letters are.
        if wordLength <= tokenizer.settings.longestWord { word.append(byte) }
    }

    private mutating func push(_ scalar: UInt32) {
        if !marks.isEmpty { placeMarks() }
        add(scalar)
    }

    private mutating func add(_ scalar: UInt32) {
        wordLength += 1
        guard wordLength <= tokenizer.settings.longestWord, let scalar = Unicode.Scalar(scalar) else { return }
        word.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func placeMarks() {
        let waiting = marks
        marks.removeAll(keepingCapacity: true)
        for mark in waiting { add(mark.scalar) }
    }

    /// Ends the word, if there is one, and looks its pieces up.
    mutating func endWord() {
        if !marks.isEmpty { placeMarks() }
        guard wordLength > 0 else { return }
        if wordLength > tokenizer.settings.longestWord {
            numbers.append(tokenizer.unknown)
        } else {
            tokenizer.pieces.append(word, unknown: tokenizer.unknown, hashes: &hashes, to: &numbers)
        }
        word.removeAll(keepingCapacity: true)
        wordLength = 0
    }

    /// The character whose bytes begin there, in text that is known to be UTF-8.
    private static func scalar(in bytes: Span<UInt8>, at place: Int) -> (UInt32, length: Int) {
        let first = UInt32(bytes[place])
        func rest(_ offset: Int) -> UInt32 { UInt32(bytes[place + offset]) & 0x3F }
        if first < 0xE0 { return ((first & 0x1F) << 6 | rest(1), 2) }
        if first < 0xF0 { return ((first & 0x0F) << 12 | rest(1) << 6 | rest(2), 3) }
        return ((first & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3), 4)
    }
}
