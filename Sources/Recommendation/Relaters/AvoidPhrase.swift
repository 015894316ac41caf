import TextEncoding

/// One thing that is ruled out: the word that names it, the words that narrow it down, and whether only one more of it is
/// unwanted.
struct AvoidPhrase: Hashable {
    /// Stems, as fingerprints.
    let head: UInt64
    let narrowing: [UInt64]
    /// Words such as "set", "class" or "tickets" that say how the thing comes; it is unwanted in any wrapping.
    let wrapping: [UInt64]
    /// "A new bicycle" rules out buying one, not having the old one repaired.
    let isAcquisition: Bool

    /// Words read of one phrase at most.
    static let wordLimit = 60

    /// The separate things a phrase names: split at commas, colons, semicolons, slashes, "and" and "or".
    ///
    /// A wrapping alone borrows its thing from its neighbours: "wine bottles, wine clubs and tastings" rules out wine
    /// tastings, not tastings. The reader is kept for all phrases.
    static func alternatives(_ phrase: String, by reader: inout TokenizedText.Reader) -> [AvoidPhrase] {
        let vocabulary = AvoidVocabulary.shared
        // A slash joins alternatives as a comma does; the tokenizer opens a clause at the other marks.
        let hasSlash = phrase.utf8.contains(UInt8(ascii: "/"))
        let words = reader.read(hasSlash ? phrase.replacing("/", with: ", ") : phrase).words
        var things: [Parts] = []
        var start = 0
        for (place, word) in words.enumerated() {
            let isJoint = vocabulary.isJoint(word.word)
            guard word.opensClause || isJoint else { continue }
            things.append(parts(words[start..<place], vocabulary))
            start = isJoint ? place + 1 : place
        }
        things.append(parts(words[start...], vocabulary))
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
        var topic: [UInt64]
        var wrapping: [UInt64]
        var isAcquisition: Bool
    }

    private static func parts(_ words: ArraySlice<WordPrint>, _ vocabulary: AvoidVocabulary) -> Parts {
        var parts = Parts(topic: [], wrapping: [], isAcquisition: false)
        var after: [UInt64] = []
        var afterWrapping: [UInt64] = []
        var isAfter = false
        for word in words {
            let use = vocabulary.use(of: word.word)
            if use == .link { isAfter = true }
            if use == .acquisition, !isAfter { parts.isAcquisition = true }
            guard use == .content, !word.isStopWord else { continue }
            let stem = word.stem
            let isWrapping = vocabulary.isWrapping(stem)
            switch (isWrapping, isAfter) {
            case (true, false): parts.wrapping.append(stem)
            case (true, true): afterWrapping.append(stem)
            case (false, false): parts.topic.append(stem)
            case (false, true): break
            }
            if isAfter { after.append(stem) }
        }
        // The thing is the last word before the link that is no wrapping; what follows the link narrows it further.
        parts.topic =
            parts.topic.isEmpty ? after.filter { !vocabulary.isWrapping($0) } : after + parts.topic
        parts.wrapping += afterWrapping
        return parts
    }
}
