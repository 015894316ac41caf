package import JSONDocument

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

/// What a recommendation is.
package enum CandidateType: String, CaseIterable, Sendable, Hashable {
    case gift
    case experience
    case date
}

/// The outside services candidates come from.
package enum ProviderName: String, CaseIterable, Sendable, Hashable {
    case yelp
    case ticketmaster
    case amazon
    case shopify
    case firecrawl
    case catalogue
}

extension Candidate {
    /// Reads one candidate and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let id = reader.required("id")?.text(limit: TextLimit.identifier)
        let provider = reader.required("provider")?.choice(ProviderName.self)
        let type = reader.required("type")?.choice(CandidateType.self)
        let title = reader.required("title")?.text(limit: TextLimit.title)
        let description = reader.optional("description")?.optionalText(limit: TextLimit.description)
        let url = reader.required("url")?.webAddress()
        let imageURL = reader.optional("image_url")?.webAddress()
        let priceCents = reader.optional("price_cents")?.minorUnits()
        let currency = reader.required("currency")?.currency()
        let merchant = reader.optional("merchant")?.optionalText(limit: TextLimit.name)
        let location = reader.optional("location").flatMap { Place(reading: $0) }
        let startsAt = reader.optional("starts_at")?.instant()
        // Stars go to five; a provider that counts to ten says no more by it.
        let rating = reader.optional("rating")?.double(in: 0...Double.greatestFiniteMagnitude).map { min($0, 5) }
        let reviewCount = reader.optional("review_count")?.int(in: 0...Int.max)
        let shipsInDays = reader.optional("ships_in_days")?.int(in: 0...36_500)
        let tags = reader.optional("tags")?.texts(limit: TextLimit.tag) ?? []
        guard reader.problems.list.count == before, let id, let provider, let type, let title, let url, let currency
        else { return nil }
        self.init(
            id: CandidateID(id),
            provider: provider,
            type: type,
            title: title,
            description: description,
            url: url,
            imageURL: imageURL,
            priceCents: priceCents,
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

    /// The fields of a fixture's candidate, in its order.
    package var json: JSONValue {
        [
            "id": .string(id.text), "provider": .string(provider.rawValue), "type": .string(type.rawValue),
            "title": .string(title), "description": JSONValue(description), "url": .string(url),
            "image_url": JSONValue(imageURL), "price_cents": JSONValue(priceCents),
            "currency": .string(currency.code), "merchant": JSONValue(merchant),
            "location": location?.json ?? .null, "starts_at": JSONValue(startsAt?.iso8601),
            "rating": JSONValue(rating), "review_count": JSONValue(reviewCount),
            "ships_in_days": JSONValue(shipsInDays), "tags": JSONValue(tags),
        ]
    }
}

/// The candidates of one list, each id once.
package struct CandidateList: Hashable, Sendable {
    package let candidates: [Candidate]
    /// Ids that came again, once for each time; the first candidate with an id is the one kept.
    package let duplicates: [CandidateID]

    package init(_ all: [Candidate]) {
        var seen: Set<CandidateID> = []
        var kept: [Candidate] = []
        var duplicates: [CandidateID] = []
        for candidate in all {
            if seen.insert(candidate.id).inserted { kept.append(candidate) } else { duplicates.append(candidate.id) }
        }
        candidates = kept
        self.duplicates = duplicates
    }

    /// Reads a list and notes every problem in it; candidates that have one are left out.
    package init(reading reader: JSONReader) {
        self.init(reader.items().compactMap { Candidate(reading: $0) })
    }
}
