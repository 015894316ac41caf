package import KnotDomain
package import StageGraph
import TextEncoding

/// What earlier feedback says of this kind of thing; silent until there are a few signals.
///
/// Where weights were learned from what sets were chosen for, they say it; else the history's own feedback on types does.
package struct ScoreLearned: ScoreStage {
    package static let kind = "score.learned"
    package static let revision = 2
    package static let summary = "Scores gifts, experiences and dates by earlier feedback."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let minimumSignals = Parameter<Int>(
        "minimum_signals",
        default: 3,
        in: 1...100,
        "Signals needed before feedback counts."
    )
    static let halfLife = Parameter<Double>(
        "half_life_days",
        default: 365,
        in: 1...36_500,
        "Days after which a signal counts half."
    )
    package static let parameters = [minimumSignals.declaration, halfLife.declaration]

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    package enum Facts {
        /// The decayed mean signal of each type, from −1 to 1.
        case types([CandidateType: Double])
        /// What learned weights say, by offer.
        case weights([ItemID: Contribution])
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts {
        let brief = try inputs.value(Self.brief)
        guard let taste = brief.vault.learned, taste.signalCount >= parameters[Self.minimumSignals] else {
            return .types(means(of: brief))
        }
        let signs = LearnedSigns(of: pool.items, taste: taste, vault: brief.vault, asOf: brief.asOf)
        return .weights(signs.contributions)
    }

    /// A complaint about a price teaches nothing of the type.
    private func means(of brief: Brief) -> [CandidateType: Double] {
        var sums: [CandidateType: (value: Double, weight: Double)] = [:]
        var count = 0
        for item in brief.vault.history {
            for feedback in item.standingFeedback where !Self.isAboutPrice(feedback) {
                let days = max(0, Double(brief.asOf.secondsSinceEpoch - item.at.secondsSinceEpoch) / 86_400)
                let weight = Power.half(days / parameters[Self.halfLife])
                sums[item.type, default: (0, 0)].value += weight * feedback.signal
                sums[item.type, default: (0, 0)].weight += weight
                count += 1
            }
        }
        guard count >= parameters[Self.minimumSignals] else { return [:] }
        // Two imaginary neutral signals keep a single opinion from deciding.
        return sums.mapValues { $0.value / ($0.weight + 2) }
    }

    package func contribution(of item: Offer, given facts: Facts) throws(StageFailure) -> Contribution? {
        switch facts {
        case .weights(let contributions): contributions[item.itemID]
        case .types(let means):
            means[item.candidate.type].map { mean in
                Contribution(
                    min(1, max(0, 0.5 + mean / 2)),
                    evidence: [Evidence(kind: "learned", ref: item.candidate.type.rawValue, weight: mean)]
                )
            }
        }
    }

    private static func isAboutPrice(_ feedback: Feedback) -> Bool {
        [.tooExpensive, .tooCheap].contains(feedback.refreshReason)
    }
}

/// What learned weights say of offers: the mean over the factors that an offer shows, fading with the time since.
struct LearnedSigns {
    /// By offer; one that shows no factor whose weight is known is not there.
    private(set) var contributions: [ItemID: Contribution] = [:]

    /// The factors of a weight above 1 speak for an offer and those of one below 1 against it: twice as dear and half as
    /// dear are equally far from ordinary.
    init(of offers: [Offer], taste: LearnedTaste, vault: Vault, asOf: Instant) {
        let days = max(0, Double(asOf.secondsSinceEpoch - taste.asOf.secondsSinceEpoch) / 86_400)
        let fading = Power.half(days / taste.halfLifeDays)
        // No factor of an offer can name what the vault does not.
        let interests = (vault.likes + vault.dislikes).map { (sign: InterestSign($0), name: "interest:\($0.name)") }
            .filter { taste.weights[$0.name] != nil }
        var reader = Lexicon.SignReader(.shared)
        for offer in offers {
            let signs = TasteSigns(of: offer, by: &reader)
            var names = ["type:\(offer.candidate.type.rawValue)"]
            for interest in interests where Self.isClear(interest.sign.sign(in: offer, signs)) {
                names.append(interest.name)
            }
            for vibe in Vibe.allCases where Self.isClear(signs.sign(of: vibe)) { names.append("vibe:\(vibe.rawValue)") }
            for language in LoveLanguage.allCases
            where Self.isClear(signs.sign(of: language)) || Self.speaks(offer.candidate.type, language) {
                names.append("love_language:\(language.rawValue)")
            }
            let evidence = names.compactMap { name in
                taste.weights[name].map {
                    Evidence(kind: "learned", ref: name, weight: fading * Power.exponent(ofTwo: $0))
                }
            }
            guard !evidence.isEmpty else { continue }
            let mean = evidence.reduce(0) { $0 + $1.weight } / Double(evidence.count)
            contributions[offer.itemID] = Contribution(min(1, max(0, 0.5 + mean / 2)), evidence: evidence)
        }
    }

    /// A related word alone is too little to hold feedback against an offer.
    private static func isClear(_ sign: TasteSigns.Sign?) -> Bool {
        sign.map { $0.clarity >= .mentioned } ?? false
    }

    /// What an offer says by what it is.
    private static func speaks(_ type: CandidateType, _ language: LoveLanguage) -> Bool {
        switch language {
        case .receivingGifts: type == .gift
        case .qualityTime: type != .gift
        case .wordsOfAffirmation, .actsOfService, .physicalTouch: false
        }
    }
}
