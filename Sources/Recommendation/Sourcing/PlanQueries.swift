package import KnotDomain
package import StageGraph
import TextReading

/// Turns hints, likes, vibes, budget, day and place into one query for each provider.
package struct PlanQueries: TransformStage {
    package static let kind = "plan.queries"
    package static let role = StageRole.planner
    package static let summary = "Turns what is known into one query for each provider."
    static let brief = InputPort<Brief>("brief")
    static let digest = InputPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, digest.declaration]

    static let phraseLimit = Parameter<Int>(
        "phrases",
        default: 24,
        in: 1...200,
        "Phrases a provider is given at most, the most wanted first."
    )
    package static let parameters = [phraseLimit.declaration]

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> QueryPlan {
        let brief = try inputs.value(Self.brief)
        let digest = try inputs.value(Self.digest)
        var phrases: [String] = []
        var seen: Set<String> = []
        let filter = PublicPhrases(brief.vault)
        let most = parameters[Self.phraseLimit]
        func add(_ phrase: @autoclosure () -> String?) {
            guard phrases.count < most, let text = phrase() else { return }
            if seen.insert(text.lowercased()).inserted { phrases.append(text) }
        }
        // One phrase of each hint in turn, so that the first hint does not take every place.
        let longest = digest.ranked.map(\.reading.serves.count).max() ?? 0
        for turn in 0..<longest {
            for entry in digest.ranked where entry.weight > 0 && turn < entry.reading.serves.count {
                add(filter.phrase(entry.reading.serves[turn]))
            }
        }
        for phrase in digest.serves where phrase.hint == nil { add(filter.phrase(phrase.text)) }
        for like in brief.vault.likes { add(filter.like(like.name)) }
        return QueryPlan(
            phrases: phrases,
            budget: brief.budget,
            place: filter.place(brief.vault.location),
            until: brief.occurrence ?? brief.today.adding(days: 60)
        )
    }
}

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
