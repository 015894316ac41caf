package import JSONDocument
package import KnotDomain

/// What a provider is asked for, made from the vault: never the hints' own words, which are private.
package struct ProviderQuery: Sendable {
    package let provider: ProviderName
    /// Short catalogue phrases, the most wanted first.
    package let phrases: [String]
    /// Whether there are phrases that a service is not told.
    package let withholds: Bool
    package let types: [CandidateType]
    package let budget: Budget?
    package let place: Place?
    /// The last useful day, when there is one.
    package let until: CivilDate?
    package let limit: Int
    /// The moment that the run chooses at; a recording has it once for all.
    package let asOf: Instant?
    /// The rules of the run, for a catalogue in this process alone; a recording knows nothing of them.
    package let rules: OfferRules?
    /// When the run stops waiting for the answer, so that what there is by then is the answer; nil where there is time.
    package var answerBy: ContinuousClock.Instant?
    /// Takes down what the answer lacks.
    package let shortfalls = ShortfallLog()

    package init(
        provider: ProviderName,
        phrases: [String],
        withholds: Bool = false,
        types: [CandidateType],
        budget: Budget?,
        place: Place?,
        until: CivilDate?,
        limit: Int,
        asOf: Instant? = nil,
        rules: OfferRules? = nil
    ) {
        self.provider = provider
        self.phrases = phrases
        self.withholds = withholds
        self.types = types
        self.budget = budget
        self.place = place
        self.until = until
        self.limit = limit
        self.asOf = asOf
        self.rules = rules
    }
}

extension ProviderQuery {
    /// What a recording knows the query by.
    package var json: JSONValue {
        let asked: JSONValue = [
            "provider": .string(provider.rawValue), "phrases": JSONValue(phrases),
            "types": JSONValue(types.map(\.rawValue)),
            "budget": budget?.json ?? .null, "place": place?.json ?? .null, "until": JSONValue(until?.description),
            "limit": .integer(limit),
        ]
        guard withholds, var longer = asked.object else { return asked }
        longer["withholds"] = .bool(true)
        return .object(longer)
    }
}
