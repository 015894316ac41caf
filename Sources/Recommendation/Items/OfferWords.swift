import KnotDomain
package import TextEncoding

/// The words of an offer, found once.
///
/// Texts are capped: a title of a megabyte is nobody's gift.
package struct OfferWords: Sendable {
    /// Words read of any one field.
    static let wordLimit = 400

    package let title: TokenizedText
    package let body: TokenizedText
    package let tags: TokenizedText
    /// Title, description and tags together.
    package let all: TokenizedText
    /// The stems that say what a thing is: of title and tags.
    let headSet: StemSet
    let titleSet: StemSet
    let allSet: StemSet
    /// The merchant's name for comparing.
    let merchant: String?

    init(_ candidate: Candidate) {
        title = TokenizedText(candidate.title, limit: Self.wordLimit)
        body = TokenizedText(candidate.description ?? "", limit: Self.wordLimit)
        tags = TokenizedText(fields: candidate.tags, limit: Self.wordLimit)
        all = TokenizedText(tokens: title.tokens + body.tokens + tags.tokens)
        titleSet = StemSet(contentOf: title)
        headSet = StemSet(contentOf: title, tags)
        allSet = StemSet(contentOf: title, tags, body)
        merchant = Sameness.merchantKey(candidate.merchant)
    }
}
