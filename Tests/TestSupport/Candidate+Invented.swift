package import KnotDomain

extension Candidate {
    /// An invented candidate: a gift of USD 80 that can be posted, unless told otherwise.
    package static func invented(
        _ id: String,
        _ title: String,
        provider: ProviderName = .amazon,
        type: CandidateType = .gift,
        description: String? = nil,
        url: String? = nil,
        price: Int? = 8_000,
        currency: String = "USD",
        merchant: String? = nil,
        location: Place? = nil,
        startsAt: String? = nil,
        rating: Double? = nil,
        reviews: Int? = nil,
        ships: Int? = nil,
        tags: [String] = []
    ) -> Candidate {
        Candidate(
            id: CandidateID(id),
            provider: provider,
            type: type,
            title: title,
            description: description,
            url: url ?? "https://shop.example/\(id)",
            imageURL: nil,
            priceCents: price,
            currency: Currency(currency) ?? .usd,
            merchant: merchant ?? "House of \(id)",
            location: location,
            startsAt: startsAt.flatMap { Instant(iso8601: $0) },
            rating: rating,
            reviewCount: reviews,
            shipsInDays: ships,
            tags: tags
        )
    }
}
