import KnotDomain

extension Candidate {
    /// The same candidate at another listed price.
    func repriced(_ minorUnits: Int?) -> Candidate {
        Candidate(
            id: id,
            provider: provider,
            type: type,
            title: title,
            description: description,
            url: url,
            imageURL: imageURL,
            priceCents: minorUnits,
            currency: currency,
            merchant: merchant,
            location: location,
            startsAt: startsAt,
            rating: rating,
            reviewCount: reviewCount,
            shipsInDays: shipsInDays,
            tags: tags
        )
    }
}
