/// A text whose words were found once, for everything that is asked of it later.
package struct TokenizedText: Hashable, Sendable {
    package let words: [WordPrint]

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

    private init(words: [WordPrint]) {
        self.words = words
    }

    /// Reads several texts one after another with the same working memory.
    package struct Reader {
        private var scanner: TokenScanner
        private let limit: Int

        /// At most `limit` words are read of each text.
        package init(limit: Int = .max) {
            scanner = TokenScanner(limit: limit, yield: .prints)
            self.limit = limit
        }

        package mutating func read(_ text: String) -> TokenizedText {
            scanner.read(text)
            return TokenizedText(words: scanner.takePrints())
        }

        package mutating func read(fields: [String]) -> TokenizedText {
            scanner.reserve(bytes: fields.reduce(0) { $0 + $1.utf8.count + 5 })
            for field in fields where scanner.count < limit { scanner.read(field) }
            return TokenizedText(words: scanner.takePrints())
        }
    }

    package var isEmpty: Bool { words.isEmpty }

    /// The fingerprints of the stems in order, function words left out.
    package var contentPrints: [UInt64] {
        var prints: [UInt64] = []
        prints.reserveCapacity(words.count)
        for word in words where !word.isStopWord { prints.append(word.stem) }
        return prints
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
