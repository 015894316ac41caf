import KnotDomain
package import TextEncoding
import TextReading

/// The words of an offer, found once.
///
/// Texts are capped: a title of a megabyte names no gift.
package struct OfferWords: Sendable {
    package let title: TokenizedText
    package let body: TokenizedText
    package let tags: TokenizedText
    /// The content stems of each field, as fingerprints; each once, since saying a word again makes nothing more of it.
    let titleFingerprints: [UInt64]
    let bodyFingerprints: [UInt64]
    let tagFingerprints: [UInt64]
    /// The stems that say what a thing is: of title and tags.
    let headSet: StemSet
    let titleSet: StemSet
    let allSet: StemSet
    /// The merchant's name for comparing.
    let merchant: String?
    /// The address for comparing.
    let address: String

    init(_ candidate: Candidate) {
        var reader = TokenizedText.Reader(limit: CleanedText.wordLimit)
        let sober = CleanedText(candidate, by: &reader)
        title = sober.title
        body = sober.body
        tags = sober.tags
        titleFingerprints = Self.distinct(title.contentFingerprints)
        bodyFingerprints = Self.distinct(body.contentFingerprints)
        tagFingerprints = Self.distinct(tags.contentFingerprints)
        titleSet = StemSet(fingerprints: titleFingerprints)
        headSet = titleSet.union(StemSet(fingerprints: tagFingerprints))
        allSet = headSet.union(StemSet(fingerprints: bodyFingerprints))
        merchant = Sameness.merchantKey(candidate.merchant)
        address = CanonicalURL.key(candidate.url)
    }

    /// A field's stems are a few dozen: looking through them is quicker than a table.
    private static func distinct(_ fingerprints: [UInt64]) -> [UInt64] {
        var kept: [UInt64] = []
        kept.reserveCapacity(fingerprints.count)
        for fingerprint in fingerprints where !kept.contains(fingerprint) { kept.append(fingerprint) }
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
        titleFingerprints = []
        bodyFingerprints = []
        tagFingerprints = []
        titleSet = StemSet(fingerprints: [])
        headSet = titleSet
        allSet = titleSet
        merchant = nil
        address = ""
    }
}
