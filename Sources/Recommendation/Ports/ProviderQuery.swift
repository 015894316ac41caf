package import JSONDocument
package import KnotDomain

/// What a provider is asked for, made from the vault: never the hints' own words, which are private.
package struct ProviderQuery: Sendable, Hashable {
    package let provider: ProviderName
    /// Short catalogue phrases, the most wanted first.
    package let phrases: [String]
    package let types: [CandidateType]
    package let budget: Budget
    package let place: Place?
    /// The last useful day, when there is one.
    package let until: CivilDate?
    package let limit: Int

    package init(
        provider: ProviderName,
        phrases: [String],
        types: [CandidateType],
        budget: Budget,
        place: Place?,
        until: CivilDate?,
        limit: Int
    ) {
        self.provider = provider
        self.phrases = phrases
        self.types = types
        self.budget = budget
        self.place = place
        self.until = until
        self.limit = limit
    }
}

extension ProviderQuery {
    /// What a recording knows the query by.
    package var json: JSONValue {
        [
            "provider": .string(provider.rawValue), "phrases": JSONValue(phrases),
            "types": JSONValue(types.map(\.rawValue)),
            "budget": budget.json, "place": place?.json ?? .null, "until": JSONValue(until?.description),
            "limit": .integer(limit),
        ]
    }
}
