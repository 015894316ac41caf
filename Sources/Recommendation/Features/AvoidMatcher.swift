import TextEncoding

/// How surely an offer is what an avoid phrase rules out, by words.
///
/// "Cakes, candy and frosted bakery boxes" names three things: any one of them is enough, and of each its last word is
/// the thing itself while the others only narrow it down.
struct AvoidMatcher {
    private let index: LexicalIndex

    init(_ index: LexicalIndex) {
        self.index = index
    }

    /// For each offer, row by row, one value for each phrase.
    ///
    /// Things are found by the word that names them, so that an offer is held only against what it could be.
    func table(for phrases: [String]) -> [Double] {
        let services = Self.services
        var values = [Double](repeating: 0, count: phrases.count * index.offers.count)
        var reader = TokenizedText.Reader(limit: AvoidPhrase.wordLimit)
        for (number, phrase) in phrases.enumerated() {
            for thing in AvoidPhrase.alternatives(phrase, by: &reader) {
                let rows = index.holders(of: thing.head)
                if rows.isEmpty { continue }
                let weights = thing.narrowing.map { index.weight(of: $0) }
                for row in rows {
                    let place = row * phrases.count + number
                    let certainty = certainty(that: index.offers[row], is: thing, weights, services)
                    values[place] = max(values[place], certainty)
                }
            }
        }
        return values
    }

    /// What is done to a thing one has, rather than the thing itself.
    private static let services = StemSet(
        "repair restore restoration service servicing overhaul cleaning sharpen sharpening resole maintenance tune alignment replacement refill mend"
            .split(separator: " ").map { Stemmer.stem(String($0)) }
    )

    /// The share of the narrowing words that are there counts, and a wrapping a little; a thing that is only mentioned is
    /// less surely what is offered.
    private func certainty(
        that offer: Offer,
        is thing: AvoidPhrase,
        _ weights: [Double],
        _ services: StemSet
    ) -> Double {
        let place = offer.words.headSet.contains(thing.head) ? 1.0 : 0.6
        let own = index.weight(of: thing.head)
        let words = offer.words.allSet
        var total = own
        var found = own
        for (stem, weight) in zip(thing.narrowing, weights) {
            total += weight
            if words.contains(stem) { found += weight }
        }
        var certainty = place * found / total
        if !thing.wrapping.isEmpty, !thing.wrapping.contains(where: words.contains) { certainty *= 0.8 }
        if thing.isAcquisition, words.sharedCount(with: services) > 0 { certainty *= 0.4 }
        return certainty
    }
}

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
final class AvoidVocabulary: Sendable {
    /// What a word does in an avoid phrase.
    enum Use: Sendable {
        case content
        /// Says that a thing is unwanted, not what it is.
        case opener
        /// Says that only one more is unwanted.
        case acquisition
        /// What follows narrows the thing that stands before it.
        case link
    }

    static let shared = AvoidVocabulary()

    /// Numbers of the words that are no content: openers first, then those of acquisition, then links.
    private let words = FingerprintTable(of: openers + acquisition + links)
    private let joints = FingerprintTable(of: ["and", "or", "nor"])
    private let wrappings: StemSet

    private init() {
        wrappings = StemSet(Self.wrappings.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
    }

    /// What the word with this fingerprint does.
    func use(of word: UInt64) -> Use {
        guard let number = words[word] else { return .content }
        let isOpener = number < Self.openers.count
        return isOpener ? .opener : number < Self.openers.count + Self.acquisition.count ? .acquisition : .link
    }

    /// Whether the word with this fingerprint stands between two things.
    func isJoint(_ word: UInt64) -> Bool { joints[word] != nil }

    func isWrapping(_ stem: UInt64) -> Bool { wrappings.contains(stem) }

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
