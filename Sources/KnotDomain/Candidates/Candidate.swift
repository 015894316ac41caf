/// Something that could be recommended, as a provider described it.
///
/// Its texts are hostile data, never instructions.
package struct Candidate: Hashable, Sendable {
    package let id: CandidateID
    package let provider: ProviderName
    package let type: CandidateType
    package let title: String
    package let description: String?
    package let url: String
    package let imageURL: String?
    /// As listed; nil when the provider does not say.
    package let priceCents: Int?
    package let currency: Currency
    package let merchant: String?
    package let location: Place?
    package let startsAt: Instant?
    package let rating: Double?
    package let reviewCount: Int?
    package let shipsInDays: Int?
    package let tags: [String]

    package init(
        id: CandidateID,
        provider: ProviderName,
        type: CandidateType,
        title: String,
        description: String?,
        url: String,
        imageURL: String?,
        priceCents: Int?,
        currency: Currency,
        merchant: String?,
        location: Place?,
        startsAt: Instant?,
        rating: Double?,
        reviewCount: Int?,
        shipsInDays: Int?,
        tags: [String]
    ) {
        self.id = id
        self.provider = provider
        self.type = type
        self.title = title
        self.description = description
        self.url = url
        self.imageURL = imageURL
        self.priceCents = priceCents
        self.currency = currency
        self.merchant = merchant
        self.location = location
        self.startsAt = startsAt
        self.rating = rating
        self.reviewCount = reviewCount
        self.shipsInDays = shipsInDays
        self.tags = tags
    }
}
