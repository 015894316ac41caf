import KnotDomain
package import TextEncoding
import TextReading

/// The words of an offer, found once.
///
/// Texts are capped: a title of a megabyte names no gift. One reference, so that lending them counts one and not twenty.
package final class OfferWords: Sendable {
    let said: SpokenWords
    /// All that it says where that is more than what counts: it may be a reason to drop it.
    let longer: SpokenWords?
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
        titleFingerprints = Self.distinct(sober.title.contentFingerprints)
        bodyFingerprints = Self.distinct(sober.body.contentFingerprints)
        tagFingerprints = Self.distinct(sober.tags.contentFingerprints)
        titleSet = StemSet(fingerprints: titleFingerprints)
        headSet = titleSet.union(StemSet(fingerprints: tagFingerprints))
        allSet = headSet.union(StemSet(fingerprints: bodyFingerprints))
        said = SpokenWords(sober.fields, head: headSet, all: allSet)
        longer = sober.spoken.map { SpokenWords($0) }
        merchant = Sameness.merchantKey(candidate.merchant)
        address = CanonicalURL.key(candidate.url)
    }

    /// The words of no offer at all.
    static let none = OfferWords()

    private init() {
        titleFingerprints = []
        bodyFingerprints = []
        tagFingerprints = []
        titleSet = StemSet(fingerprints: [])
        headSet = titleSet
        allSet = titleSet
        said = SpokenWords(.none, head: titleSet, all: titleSet)
        longer = nil
        merchant = nil
        address = ""
    }

    /// A field's stems are a few dozen: looking through them is quicker than a table.
    private static func distinct(_ fingerprints: [UInt64]) -> [UInt64] {
        var kept: [UInt64] = []
        kept.reserveCapacity(fingerprints.count)
        for fingerprint in fingerprints where !kept.contains(fingerprint) { kept.append(fingerprint) }
        return kept
    }

    package var title: TokenizedText { said.fields.title }
    package var body: TokenizedText { said.fields.body }
    package var tags: TokenizedText { said.fields.tags }

    /// Title, description and tags; no phrase reaches from one into the next.
    var fields: [TokenizedText] { [title, body, tags] }
}
