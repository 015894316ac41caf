package import JSONDocument

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
