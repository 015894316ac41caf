import KnotDomain
package import StageGraph

/// How clear an offer is of everything that is ruled out: what the filter let pass with a doubt pays for it here.
package struct ScoreClearance: ScoreStage {
    package static let kind = "score.clearance"
    package static let summary = "Scores how far an offer is from everything that is ruled out."
    static let relatedness = InputPort<PhraseSimilarity>("relatedness")
    package static let inputs = [relatedness.declaration]

    static let slope = Parameter<Double>(
        "slope",
        default: 2.5,
        in: 0...10,
        "How fast the score falls as an offer is nearer to what is ruled out than to what serves."
    )
    package static let parameters = [slope.declaration]

    private let slope: Double

    package init(_ parameters: ParameterValues) {
        slope = parameters[Self.slope]
    }

    package func contribution(of item: Offer, given facts: PhraseSimilarity) throws(StageFailure) -> Contribution? {
        if let meant = facts.offence(of: item.itemID) {
            return Contribution(1 - min(1, max(0, 0.5 + slope * meant.lead)))
        }
        guard let offence = facts.avoids.strongest(for: item.itemID) else {
            return Contribution(1)
        }
        return Contribution(1 - offence.nearness)
    }
}
