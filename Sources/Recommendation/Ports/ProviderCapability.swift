package import KnotDomain

/// What a provider can do, declared by the provider: no other part of a run knows one service from another.
package struct ProviderCapability: Sendable, Hashable {
    /// How often a service may be asked.
    package struct Quota: Sendable, Hashable {
        package let calls: Int
        package let period: Duration

        package init(calls: Int, per period: Duration) {
            self.calls = calls
            self.period = period
        }
    }

    /// The name that pipelines and candidates know it by.
    package let name: ProviderName
    /// The kinds of thing it has, in the order in which it is asked for them.
    package let types: [CandidateType]
    /// Whether it searches near a place; one that does not is never told where somebody lives.
    package let searchesPlaces: Bool
    /// Whether it searches by price; one that does not is never told a budget.
    package let searchesPrices: Bool
    /// Whether it answers in this process, from what lies here: only then it is given the run's rules.
    package let isInProcess: Bool
    /// The most candidates that one query brings, over all its pages; nil where there is no such bound.
    package let mostCandidates: Int?
    /// What the service allows, for whatever sends the calls; nil where nothing is known.
    package let quota: Quota?

    package init(
        _ name: ProviderName,
        types: [CandidateType] = CandidateType.allCases,
        searchesPlaces: Bool = true,
        searchesPrices: Bool = true,
        isInProcess: Bool = false,
        mostCandidates: Int? = nil,
        quota: Quota? = nil
    ) {
        self.name = name
        self.types = types
        self.searchesPlaces = searchesPlaces
        self.searchesPrices = searchesPrices
        self.isInProcess = isInProcess
        self.mostCandidates = mostCandidates
        self.quota = quota
    }
}

extension ProviderCapability {
    /// The providers whose candidates fixtures, the catalogue and recordings may hold.
    package static let wellKnown = [
        ProviderCapability(.yelp), ProviderCapability(.ticketmaster, types: [.experience, .date]),
        ProviderCapability(.amazon, types: [.gift]), ProviderCapability(.shopify, types: [.gift]),
        ProviderCapability(.firecrawl), ProviderCapability(.catalogue),
    ]

    /// One of the well-known providers, or a provider of which nothing is known but its name.
    package static func known(as name: ProviderName) -> ProviderCapability {
        wellKnown.first { $0.name == name } ?? ProviderCapability(name)
    }
}
