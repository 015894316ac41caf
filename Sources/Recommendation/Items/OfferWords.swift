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
    /// Content stems, function words left out; kept because every stage compares them.
    let titleStems: [String]
    let bodyStems: [String]
    let tagStems: [String]
    /// The stems that say what a thing is: of title and tags.
    let headSet: Set<String>
    let titleSet: Set<String>
    let allSet: Set<String>
    /// The merchant's name for comparing.
    let merchant: String?

    init(_ candidate: Candidate) {
        title = TokenizedText(candidate.title, limit: Self.wordLimit)
        body = TokenizedText(candidate.description ?? "", limit: Self.wordLimit)
        tags = TokenizedText(fields: candidate.tags, limit: Self.wordLimit)
        all = TokenizedText(tokens: title.tokens + body.tokens + tags.tokens)
        titleStems = title.contentStems
        bodyStems = body.contentStems
        tagStems = tags.contentStems
        titleSet = Set(titleStems)
        headSet = titleSet.union(tagStems)
        allSet = headSet.union(bodyStems)
        merchant = Sameness.merchantKey(candidate.merchant)
    }
}
