import TextEncoding

/// One thing that is ruled out: the word that names it and the words that narrow it down.
struct AvoidPhrase: Hashable {
    let head: String
    let narrowing: [String]

    /// The separate things a phrase names: split at commas, colons, semicolons, slashes, "and" and "or".
    static func alternatives(_ phrase: String) -> [AvoidPhrase] {
        var groups: [[Token]] = [[]]
        for part in phrase.split(whereSeparator: { ",;:/()".contains($0) }) {
            groups.append([])
            for token in Tokenizer.tokens(of: String(part), limit: 40) {
                if ["and", "or", "nor"].contains(token.text) {
                    groups.append([])
                } else {
                    groups[groups.count - 1].append(token)
                }
            }
        }
        return groups.compactMap(thing)
    }

    /// Empty openers say that a thing is unwanted, not what it is.
    private static let openers: Set<String> = [
        "another", "any", "anything", "more", "something", "thing", "things", "stuff", "item", "items", "kind", "type",
        "style", "form", "forms", "sort", "generic", "new", "extra", "second", "similar", "gift", "gifts",
    ]

    private static func thing(_ tokens: [Token]) -> AvoidPhrase? {
        // What follows "for", "with", "in", "of", "without" or "that" narrows the thing; what stands before is it.
        let links: Set<String> = ["for", "with", "in", "of", "without", "that", "from", "on", "at", "to", "involving", "requiring"]
        let cut = tokens.firstIndex { links.contains($0.text) } ?? tokens.endIndex
        let before = tokens[..<cut].filter { !StopWords.contains($0.text) && !openers.contains($0.text) }
        let after = tokens[cut...].filter { !StopWords.contains($0.text) && !openers.contains($0.text) && !links.contains($0.text) }
        guard let head = before.last ?? after.last else { return nil }
        let rest = (before.isEmpty ? after.dropLast() : before.dropLast() + after).map(\.stem)
        return AvoidPhrase(head: head.stem, narrowing: rest.filter { $0 != head.stem })
    }
}
