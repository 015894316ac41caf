import TextEncoding

/// One thing that is ruled out: the word that names it, the words that narrow it down, and whether only one more of it is
/// unwanted.
struct AvoidPhrase: Hashable {
    let head: String
    let narrowing: [String]
    /// Words such as "set", "class" or "tickets" that say how the thing comes; it is unwanted in any wrapping.
    let wrapping: [String]
    /// "A new bicycle" rules out buying one, not having the old one repaired.
    let isAcquisition: Bool

    /// The separate things a phrase names: split at commas, colons, semicolons, slashes, "and" and "or".
    ///
    /// A wrapping alone borrows its thing from its neighbours: "wine bottles, wine clubs and tastings" rules out wine
    /// tastings, not tastings.
    static func alternatives(_ phrase: String) -> [AvoidPhrase] {
        var groups: [[Token]] = [[]]
        // A slash joins alternatives as a comma does; the tokenizer opens a clause at the other marks.
        for token in Tokenizer.tokens(of: phrase.contains("/") ? phrase.replacing("/", with: ", ") : phrase, limit: 60)
        {
            let isJoint = ["and", "or", "nor"].contains(token.text)
            if token.opensClause || isJoint { groups.append([]) }
            if !isJoint { groups[groups.count - 1].append(token) }
        }
        let things = groups.map(parts)
        let named = things.filter { !$0.topic.isEmpty }
        return things.flatMap { thing -> [AvoidPhrase] in
            if let phrase = AvoidPhrase(thing) { return [phrase] }
            guard !thing.wrapping.isEmpty else { return [] }
            return named.compactMap {
                AvoidPhrase(Parts(topic: $0.topic, wrapping: thing.wrapping, isAcquisition: false))
            }
        }
    }

    private init?(_ parts: Parts) {
        guard let head = parts.topic.last else { return nil }
        self.head = head
        narrowing = parts.topic.dropLast().filter { $0 != head }
        wrapping = parts.wrapping
        isAcquisition = parts.isAcquisition
    }

    private struct Parts {
        var topic: [String]
        var wrapping: [String]
        var isAcquisition: Bool
    }

    /// Openers that say a thing is unwanted, not what it is.
    private static let openers: Set<String> = [
        "any", "anything", "more", "something", "thing", "things", "stuff", "item", "items", "kind", "type", "style",
        "form", "forms", "sort", "generic", "similar", "again", "day", "themed",
    ]

    /// Openers that say only one more is unwanted.
    private static let acquisition: Set<String> = ["another", "new", "extra", "second", "replacement", "additional"]

    /// How things come: of themselves they rule nothing out.
    private static let wrappings: Set<String> = Set(
        """
        accessory basket bottle box bundle card case class club collection course crate date day event experience gadget gear \
        gift hamper item kit kits lesson membership night outing pack package pouch product sampler session set shop \
        subscription supply tasting ticket tour trip visit voucher weekend workshop apparel equipment merchandise evening \
        decor goods selection decoration booking activity edition spread service
        """.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) }
    )

    /// What follows one of these narrows the thing that stands before it.
    private static let links: Set<String> = [
        "for", "with", "in", "of", "without", "that", "from", "on", "at", "to", "involving", "requiring", "by",
    ]

    private static func parts(_ tokens: [Token]) -> Parts {
        let cut = tokens.firstIndex { links.contains($0.text) } ?? tokens.endIndex
        let isAcquisition = tokens[..<cut].contains { acquisition.contains($0.text) }
        let content = { (token: Token) in
            !token.isStopWord && !openers.contains(token.text) && !acquisition.contains(token.text)
                && !links.contains(token.text)
        }
        let before = tokens[..<cut].filter(content).map(\.stem)
        let after = tokens[cut...].filter(content).map(\.stem)
        // The thing is the last word before the link that is no wrapping; what follows the link narrows it further.
        var topic = before.filter { !wrappings.contains($0) }
        if topic.isEmpty {
            topic = after.filter { !wrappings.contains($0) }
        } else {
            topic = after + topic
        }
        return Parts(topic: topic, wrapping: (before + after).filter(wrappings.contains), isAcquisition: isAcquisition)
    }
}
