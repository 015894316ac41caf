package import KnotDomain
package import StageGraph
import TextReading

/// Turns hints, likes, vibes, budget, day and place into one query for each provider.
package struct PlanQueries: TransformStage {
    package static let kind = "plan.queries"
    package static let role = StageRole.planner
    package static let summary = "Plans one query for each provider from the vault and its hints."
    package static let revision = 2
    static let brief = InputPort<Brief>("brief")
    static let digest = InputPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, digest.declaration]

    static let phraseLimit = Parameter<Int>(
        "phrases",
        default: 24,
        in: 1...200,
        "Most phrases for one provider, the most wanted first."
    )
    package static let parameters = [phraseLimit.declaration]

    private let parameters: ParameterValues
    private let filters: PlanFilters

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        self.parameters = parameters
        filters = ports.filters
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> QueryPlan {
        let brief = try inputs.value(Self.brief)
        let digest = try inputs.value(Self.digest)
        let filter = PublicPhrases(brief.vault)
        var phrases = PhraseList(most: parameters[Self.phraseLimit])
        var told = phrases
        let notes = digest.ranked.map { NoteDiscretion($0.words, limits: $0.reading.limits) }
        // One phrase of each hint in turn, so that the first hint does not take every place.
        let longest = digest.ranked.map(\.serving.count).max() ?? 0
        for turn in 0..<longest {
            for (entry, note) in zip(digest.ranked, notes) where entry.weight > 0 && turn < entry.serving.count {
                let phrase = filter.phrase(entry.serving[turn].text)
                phrases.add(phrase)
                if note.allows(entry.serving[turn]) { told.add(phrase) }
            }
        }
        let withheld = zip(digest.ranked, notes).flatMap { entry, note in entry.serving.filter { !note.allows($0) } }
        for phrase in digest.serves where phrase.hint == nil {
            phrases.add(filter.phrase(phrase.text))
            if NoteDiscretion.allows(phrase.reading, beside: withheld) { told.add(filter.phrase(phrase.text)) }
        }
        for like in brief.vault.likes {
            phrases.add(filter.like(like.name))
            told.add(filter.like(like.name))
        }
        return QueryPlan(
            phrases: phrases.phrases,
            told: told.phrases,
            budget: brief.budget,
            place: filter.place(brief.vault.location),
            until: brief.occurrence ?? brief.today.adding(days: Self.horizon),
            asOf: brief.asOf,
            rules: OfferRules(brief, digest, filters)
        )
    }

    /// How many days ahead an event is looked for where there is no day to keep.
    private static let horizon = 60

    /// Phrases, each once, up to a number.
    private struct PhraseList {
        let most: Int
        var phrases: [String] = []
        private var seen: Set<String> = []

        init(most: Int) { self.most = most }

        mutating func add(_ phrase: @autoclosure () -> String?) {
            guard phrases.count < most, let text = phrase() else { return }
            if seen.insert(text.lowercased()).inserted { phrases.append(text) }
        }
    }
}

/// What every provider is asked for; each takes from it what its service understands.
package struct QueryPlan: Sendable {
    package let phrases: [String]
    /// Those that a service outside may be asked for, which follow from no note about health.
    package let told: [String]
    package let budget: Budget
    package let place: Place?
    package let until: CivilDate
    /// The moment that the run chooses at.
    package let asOf: Instant?
    /// Whether what is found will be compared word by word, so that its words are best found at once.
    package let readsWords: Bool
    /// What catalogues in this process keep to while they search; no part of what is asked.
    package let rules: OfferRules?

    package init(
        phrases: [String],
        told: [String]? = nil,
        budget: Budget,
        place: Place?,
        until: CivilDate,
        asOf: Instant? = nil,
        readsWords: Bool = true,
        rules: OfferRules? = nil
    ) {
        self.phrases = phrases
        self.told = told ?? phrases
        self.budget = budget
        self.place = place
        self.until = until
        self.asOf = asOf
        self.readsWords = readsWords
        self.rules = rules
    }

    /// What a provider is asked, as far as it can do something with it.
    func query(for provider: ProviderCapability, limit: Int) -> ProviderQuery {
        ProviderQuery(
            provider: provider.name,
            phrases: provider.isInProcess ? phrases : told,
            withholds: !provider.isInProcess && told != phrases,
            types: provider.types,
            budget: provider.searchesPrices ? budget : nil,
            place: provider.searchesPlaces ? place : nil,
            until: until,
            limit: min(limit, provider.mostCandidates ?? limit),
            asOf: asOf,
            rules: provider.isInProcess ? rules : nil
        )
    }
}
