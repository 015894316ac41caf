/// Finds all of many phrases in one pass over a text.
package struct PhraseMatcher: Sendable {
    /// One occurrence of one phrase.
    package struct Hit: Hashable, Sendable {
        /// The phrase's place in the list the matcher was made from.
        package let phrase: Int
        /// The tokens it covers.
        package let range: Range<Int>
    }

    package let phrases: [Phrase]
    private let byFirstStem: [String: [Int]]

    /// Empty phrases are kept in the numbering and never found.
    package init(_ phrases: [Phrase]) {
        self.phrases = phrases
        var byFirstStem: [String: [Int]] = [:]
        byFirstStem.reserveCapacity(phrases.count)
        for (index, phrase) in phrases.enumerated() {
            if let first = phrase.stems.first { byFirstStem[first, default: []].append(index) }
        }
        self.byFirstStem = byFirstStem
    }

    /// Every occurrence, ordered by where it starts and then by the phrase's number.
    package func hits(in text: TokenizedText) -> [Hit] {
        var hits: [Hit] = []
        for (start, token) in text.tokens.enumerated() {
            guard let candidates = byFirstStem[token.stem] else { continue }
            for index in candidates where phrases[index].matches(text.tokens, at: start) {
                hits.append(Hit(phrase: index, range: start..<(start + phrases[index].stems.count)))
            }
        }
        return hits
    }
}
