package import TextEncoding

/// One thing that is ruled out: the word that names it, the words that narrow it down, and whether only one more of it is
/// unwanted.
package struct AvoidPhrase: Hashable {
    /// Its stem, as a fingerprint.
    package let head: UInt64
    /// Stems, as fingerprints.
    package let narrowing: [UInt64]
    /// Words such as "set", "class" or "tickets" that say how the thing comes; it is unwanted in any wrapping.
    package let wrapping: [UInt64]
    /// "A new bicycle" rules out buying one, not having the old one repaired.
    package let isAcquisition: Bool

    /// Words read of one phrase at most.
    package static let wordLimit = 160

    /// The separate things a phrase names: split at commas, colons, semicolons, slashes, "and" and "or".
    ///
    /// A wrapping alone borrows its thing from its neighbours: "wine bottles, wine clubs and tastings" rules out wine
    /// tastings, not tastings. The reader is kept for all phrases.
    package static func alternatives(_ phrase: String, by reader: inout TokenizedText.Reader) -> [AvoidPhrase] {
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

    private init(head: UInt64, narrowing: [UInt64], wrapping: [UInt64], isAcquisition: Bool) {
        self.head = head
        self.narrowing = narrowing
        self.wrapping = wrapping
        self.isAcquisition = isAcquisition
    }

    /// The same thing where it is of a matter too.
    package func narrowed(by matter: [UInt64]) -> AvoidPhrase {
        AvoidPhrase(head: head, narrowing: matter + narrowing, wrapping: wrapping, isAcquisition: isAcquisition)
    }

    private struct Parts {
        var topic: [UInt64]
        var wrapping: [UInt64]
        var isAcquisition: Bool
    }

    private static func parts(_ words: ArraySlice<WordFingerprint>, _ vocabulary: AvoidVocabulary) -> Parts {
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

/// The words by which a ruled-out thing differs from how it is spoken of.
package final class AvoidVocabulary: Sendable {
    /// What a word does in an avoid phrase.
    package enum Use: Sendable {
        case content
        /// Says that a thing is unwanted, not what it is.
        case opener
        /// Says that only one more is unwanted.
        case acquisition
        /// What follows narrows the thing that stands before it.
        case link
    }

    package static let shared = AvoidVocabulary()

    /// Numbers of the words that are no content: openers first, then those of acquisition, then links.
    private let words = FingerprintTable(of: openers + acquisition + links)
    private let joints = FingerprintTable(of: ["and", "or", "nor"])
    private let wrappings: StemSet

    private init() {
        wrappings = StemSet(Self.wrappings.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
    }

    /// What the word with this fingerprint does.
    package func use(of word: UInt64) -> Use {
        guard let number = words[word] else { return .content }
        let isOpener = number < Self.openers.count
        return isOpener ? .opener : number < Self.openers.count + Self.acquisition.count ? .acquisition : .link
    }

    /// Whether the word with this fingerprint stands between two things.
    package func isJoint(_ word: UInt64) -> Bool { joints[word] != nil }

    package func isWrapping(_ stem: UInt64) -> Bool { wrappings.contains(stem) }

    private static let openers = [
        "any", "anything", "more", "something", "thing", "things", "stuff", "item", "items", "kind", "type", "style",
        "form", "forms", "sort", "generic", "similar", "again", "day", "themed",
    ]

    private static let acquisition = ["another", "new", "extra", "second", "replacement", "additional"]

    /// How things come: of themselves they rule nothing out.
    private static let wrappings =
        """
        accessory basket bottle box bundle card case class club collection course crate date day event experience gadget gear \
        gift hamper item kit kits lesson membership night outing pack package pouch product sampler session set shop \
        subscription supply tasting ticket tour trip visit voucher weekend workshop apparel equipment merchandise evening \
        decor goods selection decoration booking activity edition spread service
        """

    private static let links = [
        "for", "with", "in", "of", "without", "that", "from", "on", "at", "to", "involving", "requiring", "by",
    ]
}
