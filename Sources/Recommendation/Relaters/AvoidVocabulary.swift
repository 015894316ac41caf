import TextEncoding

/// The words by which a ruled-out thing is told from how it is spoken of.
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
