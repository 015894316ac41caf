import KnotDomain
package import StageGraph

/// How clearly an offer is about the partner's likes; a second like adds less than the first.
package struct ScoreInterests: ScoreStage {
    package static let kind = "score.interests"
    package static let summary = "Scores how clearly an offer shows the partner's likes."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<TasteFeatures>("taste")
    package static let inputs = [brief.declaration, taste.declaration]

    static let evident = Parameter<Double>("evident", default: 0.7, in: 0...1, "Score of a like in title or tags.")
    static let mentioned = Parameter<Double>("mentioned", default: 0.45, in: 0...1, "Score of a like in a description.")
    static let faint = Parameter<Double>("faint", default: 0.2, in: 0...1, "Score of a like by related words.")
    static let meaning = Parameter<Double>(
        "meaning",
        default: 0.3,
        in: 0...1,
        "Highest score that meaning alone can give if words show less."
    )
    package static let parameters = [
        evident.declaration, mentioned.declaration, faint.declaration, meaning.declaration,
    ]

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> ([InterestSign], TasteFeatures) {
        (try inputs.value(Self.brief).vault.likes.map(InterestSign.init), try inputs.value(Self.taste))
    }

    package func contribution(
        of item: Offer,
        given facts: ([InterestSign], TasteFeatures)
    ) throws(StageFailure) -> Contribution? {
        let signs = facts.1[item.itemID]
        var missing = 1.0
        var evidence: [Evidence] = []
        for like in facts.0 {
            guard let sign = like.sign(in: item, signs) else { continue }
            let value = value(of: sign.clarity)
            missing *= 1 - value
            evidence.append(Evidence(kind: "interest", ref: like.interest.name, weight: value))
        }
        guard let affinity = facts.1.affinity(of: item.itemID) else {
            return Contribution(1 - missing, evidence: evidence)
        }
        // What only seems to be near a like moves the score and is no evidence: no reason is written from it.
        let unlike = facts.0.reduce(1) { $0 * (1 - parameters[Self.evident] * affinity.strength(of: $1.interest)) }
        return Contribution(max(1 - missing, parameters[Self.meaning] * (1 - unlike)), evidence: evidence)
    }

    private func value(of clarity: TasteSigns.Clarity) -> Double {
        switch clarity {
        case .faint: parameters[Self.faint]
        case .mentioned: parameters[Self.mentioned]
        case .evident: parameters[Self.evident]
        }
    }
}
