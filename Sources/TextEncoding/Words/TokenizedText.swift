/// A text whose words were found once, for everything that is asked of it later.
package struct TokenizedText: Hashable, Sendable {
    package let words: [WordFingerprint]

    /// The words of one text, at most `limit` of them.
    package init(_ text: String, limit: Int = .max) {
        var reader = Reader(limit: limit)
        self = reader.read(text)
    }

    /// The words of several fields, such as title and description; no phrase reaches from one into the next.
    package init(fields: [String], limit: Int = .max) {
        var reader = Reader(limit: limit)
        self = reader.read(fields: fields)
    }

    /// A text without words.
    package static let none = TokenizedText(words: [])

    private init(words: [WordFingerprint]) {
        self.words = words
    }

    /// Reads several texts one after another with the same working memory.
    package struct Reader {
        private var scanner: TokenScanner
        private let limit: Int

        /// At most `limit` words are read of each text.
        package init(limit: Int = .max) {
            scanner = TokenScanner(limit: limit, yield: .fingerprints)
            self.limit = limit
        }

        package mutating func read(_ text: String) -> TokenizedText {
            scanner.read(text)
            return TokenizedText(words: scanner.takeFingerprints())
        }

        /// The same of a text's UTF-8.
        package mutating func read(_ text: Span<UInt8>) -> TokenizedText {
            scanner.read(text)
            return TokenizedText(words: scanner.takeFingerprints())
        }

        package mutating func read(fields: [String]) -> TokenizedText {
            scanner.reserve(bytes: fields.reduce(0) { $0 + $1.utf8.count + 5 })
            for field in fields where scanner.count < limit { scanner.read(field) }
            return TokenizedText(words: scanner.takeFingerprints())
        }
    }

    /// The fingerprints of the stems in order, function words left out.
    package var contentFingerprints: [UInt64] {
        var fingerprints: [UInt64] = []
        fingerprints.reserveCapacity(words.count)
        for word in words where !word.isStopWord { fingerprints.append(word.stem) }
        return fingerprints
    }

    /// Whether the phrase occurs as whole words; an empty phrase never does.
    package func contains(_ phrase: Phrase) -> Bool {
        words.indices.contains { phrase.matches(words, at: $0) }
    }

    /// The word ranges where the phrase occurs, in order; they may overlap.
    package func positions(of phrase: Phrase) -> [Range<Int>] {
        words.indices.filter { phrase.matches(words, at: $0) }.map { $0..<($0 + phrase.tokens.count) }
    }
}

/// Splits text into words in one linear pass, for any script and any input.
///
/// Letters, marks and digits make words; an apostrophe joins ("she's" gives "she", "isn't" gives "is", "not"); a hyphen
/// separates ("whole-grain" gives two words); scripts written without spaces give one token per character, so that a
/// phrase of them is found inside a longer run; "&" reads as "and"; emoji and other symbols are left out.
package enum Tokenizer {
    /// The words of a text in order, at most `limit` of them.
    package static func tokens(of text: String, limit: Int = .max) -> [Token] {
        var scanner = TokenScanner(limit: limit, yield: .tokens)
        scanner.read(text)
        return scanner.tokens
    }

    /// The folded words of a text without their stems, at most `limit` of them.
    package static func words(of text: String, limit: Int = .max) -> [String] {
        var scanner = TokenScanner(limit: limit, yield: .unstemmed)
        scanner.read(text)
        return scanner.tokens.map(\.text)
    }
}

/// One word of a text: folded for comparing, stemmed for matching, with the place it came from.
package struct Token: Hashable, Sendable {
    /// Lower case, without diacritics or clitics: "Crème's" gives "creme".
    package let text: String
    /// The inflection-free form that phrases and rankings compare.
    package let stem: String
    /// Where the word starts in the source, in UTF-8 bytes.
    package let offset: Int
    /// True at the start of a clause; no phrase reaches across it.
    package let opensClause: Bool

    /// The stem as a number.
    package let fingerprint: UInt64
    /// True for a word that carries grammar rather than meaning.
    package let isStopWord: Bool

    /// For whoever has worked out the numbers.
    init(text: String, stem: WordTables.Stem, isStopWord: Bool, offset: Int, opensClause: Bool) {
        self.text = text
        self.stem = stem.text
        self.offset = offset
        self.opensClause = opensClause
        self.isStopWord = isStopWord
        fingerprint = stem.fingerprint
    }
}

/// One word of a text as numbers: all that matching and ranking ask of it.
package struct WordFingerprint: Hashable, Sendable {
    /// The stem's fingerprint.
    package let stem: UInt64
    /// The fingerprint of the folded word.
    package let word: UInt64
    /// True at the start of a clause; no phrase reaches across it.
    package let opensClause: Bool
    /// True at the start of a sentence, or of what stands after a colon or a semicolon.
    package let opensSentence: Bool
    /// True for a word that carries grammar rather than meaning.
    package let isStopWord: Bool
}
