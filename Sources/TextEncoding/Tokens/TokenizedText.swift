/// A text whose words were found once, for everything that is asked of it later.
package struct TokenizedText: Hashable, Sendable {
    package let tokens: [Token]

    /// The words of one text, at most `limit` of them.
    package init(_ text: String, limit: Int = .max) {
        tokens = Tokenizer.tokens(of: text, limit: limit)
    }

    /// The words of several fields, such as title and description; no phrase reaches from one into the next.
    package init(fields: [String], limit: Int = .max) {
        var scanner = TokenScanner(limit: limit)
        for field in fields where scanner.tokens.count < limit { scanner.read(field) }
        tokens = scanner.tokens
    }

    package init(tokens: [Token]) {
        self.tokens = tokens
    }

    package var isEmpty: Bool { tokens.isEmpty }

    /// The fingerprints of the stems in order, function words left out.
    package var contentPrints: [UInt64] {
        var prints: [UInt64] = []
        prints.reserveCapacity(tokens.count)
        for place in tokens.indices where !tokens[place].isStopWord { prints.append(tokens[place].fingerprint) }
        return prints
    }

    /// The stems in order, function words left out.
    package var contentStems: [String] {
        var stems: [String] = []
        stems.reserveCapacity(tokens.count)
        for token in tokens where !token.isStopWord { stems.append(token.stem) }
        return stems
    }

    /// Whether the phrase occurs as whole words; an empty phrase never does.
    package func contains(_ phrase: Phrase) -> Bool {
        tokens.indices.contains { phrase.matches(tokens, at: $0) }
    }

    /// The token ranges where the phrase occurs, in order; they may overlap.
    package func positions(of phrase: Phrase) -> [Range<Int>] {
        tokens.indices.filter { phrase.matches(tokens, at: $0) }.map { $0..<($0 + phrase.tokens.count) }
    }
}
