/// One or more words looked for as a whole, inflections aside.
package struct Phrase: Hashable, Sendable {
    /// As it was written.
    package let text: String
    package let tokens: [Token]
    /// Exact phrases compare the words as written, a plural "s" aside: "bowling" is then no bowl.
    package let isExact: Bool

    package init(_ text: String, isExact: Bool = false) {
        self.text = text
        self.isExact = isExact
        tokens = Tokenizer.tokens(of: text)
    }

    package var words: [String] { tokens.map(\.text) }
    package var stems: [String] { tokens.map(\.stem) }

    /// A phrase of symbols only; it is contained in nothing.
    package var isEmpty: Bool { tokens.isEmpty }

    /// Whether the phrase stands at this place in a text's words, within one clause.
    func matches(_ words: [WordPrint], at start: Int) -> Bool {
        guard !tokens.isEmpty, start + tokens.count <= words.count else { return false }
        for offset in tokens.indices {
            let word = words[start + offset]
            guard word.stem == tokens[offset].fingerprint, offset == 0 || !word.opensClause else { return false }
            if isExact, !isWritten(word, like: tokens[offset]) { return false }
        }
        return true
    }

    private func isWritten(_ word: WordPrint, like token: Token) -> Bool {
        let print = Fingerprint.of(token.text)
        return word.word == print || word.word == Fingerprint.adding(UInt8(ascii: "s"), to: print)
    }
}
