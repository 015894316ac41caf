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

    /// One of which nothing is known but what it was called: enough to read words of, and nothing to offer.
    package init(
        wordsOf id: CandidateID,
        type: CandidateType,
        title: String,
        description: String?,
        url: String,
        merchant: String?
    ) {
        self.init(
            id: id,
            provider: .catalogue,
            type: type,
            title: title,
            description: description,
            url: url,
            imageURL: nil,
            priceCents: nil,
            currency: .usd,
            merchant: merchant,
            location: nil,
            startsAt: nil,
            rating: nil,
            reviewCount: nil,
            shipsInDays: nil,
            tags: []
        )
    }

    /// The same candidate at another listed price, of the same currency where no other is given.
    package func repriced(_ minorUnits: Int?, _ other: Currency? = nil) -> Candidate {
        Candidate(
            id: id,
            provider: provider,
            type: type,
            title: title,
            description: description,
            url: url,
            imageURL: imageURL,
            priceCents: minorUnits,
            currency: other ?? currency,
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

/// What a recommendation is.
package enum CandidateType: String, CaseIterable, Sendable, Hashable {
    case gift
    case experience
    case date

    /// Whether one thing may be listed as either: what one provider calls an experience another calls a date.
    package func mayBeSame(as other: CandidateType) -> Bool { (self == .gift) == (other == .gift) }
}

/// The name of a service that candidates come from; every provider brings its own.
package struct ProviderName: RawRepresentable, ExpressibleByStringLiteral, Sendable, Hashable {
    package let rawValue: String

    /// Nil for what is no plain word: 1 to 64 of a-z, 0-9, - and _.
    package init?(rawValue: String) {
        guard Self.isPlain(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    package init(stringLiteral value: String) {
        precondition(Self.isPlain(value), "\(value) is no provider's name")
        rawValue = value
    }

    private static func isPlain(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2D
        }
        return isPlain && (1...64).contains(text.utf8.count)
    }

    package static let yelp: ProviderName = "yelp"
    package static let ticketmaster: ProviderName = "ticketmaster"
    package static let amazon: ProviderName = "amazon"
    package static let shopify: ProviderName = "shopify"
    package static let firecrawl: ProviderName = "firecrawl"
    package static let catalogue: ProviderName = "catalogue"

    /// Whether its ratings are those that merchants show of themselves, which no one else has counted.
    package var showsMerchantsRatings: Bool { self == .shopify || self == .firecrawl }
}

extension JSONReader {
    /// This value as the name of a provider, whichever it is; nil with a problem noted.
    fileprivate func provider() -> ProviderName? {
        guard let text = string() else { return nil }
        if let name = ProviderName(rawValue: text) { return name }
        note("\"\(text.prefix(60))\" is no provider's name: 1 to 64 of a-z, 0-9, - and _")
        return nil
    }
}

extension Candidate {
    /// Reads one candidate and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        // Cut, the ids of two offers might be one.
        let id = reader.required("id")?.wholeText(limit: TextLimit.identifier)
        let provider = reader.required("provider")?.provider()
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
