/// One or more words looked for as a whole, inflections aside.
package struct Phrase: Hashable, Sendable {
    /// As it was written.
    package let text: String
    package let words: [String]
    package let stems: [String]
    /// Exact phrases compare the words as written, a plural "s" aside: "bowling" is then no bowl.
    package let isExact: Bool

    package init(_ text: String, isExact: Bool = false) {
        let tokens = Tokenizer.tokens(of: text)
        self.text = text
        words = tokens.map(\.text)
        stems = tokens.map(\.stem)
        self.isExact = isExact
    }

    /// A phrase of symbols only; it is contained in nothing.
    package var isEmpty: Bool { stems.isEmpty }

    /// Whether the phrase stands at this place in the tokens, within one clause.
    func matches(_ tokens: [Token], at start: Int) -> Bool {
        guard !stems.isEmpty, start + stems.count <= tokens.count else { return false }
        for offset in stems.indices {
            let token = tokens[start + offset]
            guard token.stem == stems[offset], offset == 0 || !token.opensClause else { return false }
            if isExact, token.text != words[offset], token.text != words[offset] + "s" { return false }
        }
        return true
    }
}
