import KnotDomain
package import TextEncoding
import TextReading

/// The words of an offer, found once.
///
/// Texts are capped: a title of a megabyte is nobody's gift.
package struct OfferWords: Sendable {
    package let title: TokenizedText
    package let body: TokenizedText
    package let tags: TokenizedText
    /// The content stems of each field, as fingerprints; each once, since saying a word again makes nothing more of it.
    let titlePrints: [UInt64]
    let bodyPrints: [UInt64]
    let tagPrints: [UInt64]
    /// The stems that say what a thing is: of title and tags.
    let headSet: StemSet
    let titleSet: StemSet
    let allSet: StemSet
    /// The merchant's name for comparing.
    let merchant: String?
    /// The address for comparing.
    let address: String

    init(_ candidate: Candidate) {
        var reader = TokenizedText.Reader(limit: SoberWords.wordLimit)
        let sober = SoberWords(candidate, by: &reader)
        title = sober.title
        body = sober.body
        tags = sober.tags
        titlePrints = Self.distinct(title.contentPrints)
        bodyPrints = Self.distinct(body.contentPrints)
        tagPrints = Self.distinct(tags.contentPrints)
        titleSet = StemSet(prints: titlePrints)
        headSet = titleSet.union(StemSet(prints: tagPrints))
        allSet = headSet.union(StemSet(prints: bodyPrints))
        merchant = Sameness.merchantKey(candidate.merchant)
        address = CanonicalURL.key(candidate.url)
    }

    /// A field's stems are a few dozen: looking through them is quicker than a table.
    private static func distinct(_ prints: [UInt64]) -> [UInt64] {
        var kept: [UInt64] = []
        kept.reserveCapacity(prints.count)
        for print in prints where !kept.contains(print) { kept.append(print) }
        return kept
    }

    /// Title, description and tags; no phrase reaches from one into the next.
    var fields: [TokenizedText] { [title, body, tags] }
}

extension OfferWords {
    /// The words of no offer at all.
    static let none = OfferWords()

    private init() {
        title = TokenizedText.none
        body = TokenizedText.none
        tags = TokenizedText.none
        titlePrints = []
        bodyPrints = []
        tagPrints = []
        titleSet = StemSet(prints: [])
        headSet = titleSet
        allSet = titleSet
        merchant = nil
        address = ""
    }
}
