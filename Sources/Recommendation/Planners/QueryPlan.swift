package import KnotDomain

/// What every provider is asked for; each takes from it what its service understands.
package struct QueryPlan: Sendable, Hashable {
    package let phrases: [String]
    package let budget: Budget
    package let place: Place?
    package let until: CivilDate
    /// Whether what is found will be compared word by word, so that its words are best found at once.
    package let readsWords: Bool

    package init(phrases: [String], budget: Budget, place: Place?, until: CivilDate, readsWords: Bool = true) {
        self.phrases = phrases
        self.budget = budget
        self.place = place
        self.until = until
        self.readsWords = readsWords
    }

    func query(for provider: ProviderName, limit: Int) -> ProviderQuery {
        let types: [CandidateType] =
            switch provider {
            case .amazon, .shopify: [.gift]
            case .ticketmaster: [.experience, .date]
            case .yelp, .firecrawl, .catalogue: CandidateType.allCases
            }
        return ProviderQuery(
            provider: provider,
            phrases: phrases,
            types: types,
            budget: budget,
            place: place,
            until: until,
            limit: limit
        )
    }
}
