import KnotDomain
package import StageGraph

/// What other people say of it: the rating, drawn towards the ordinary while few have spoken.
package struct ScoreQuality: ScoreStage {
    package static let kind = "score.quality"
    package static let summary = "What other people say of it, drawn towards the ordinary while few have spoken."

    static let ordinary = Parameter<Double>("ordinary", default: 4.3, in: 0...5, "The rating of an ordinary offer.")
    static let doubt = Parameter<Double>("doubt", default: 25, in: 0...1_000, "Reviews the ordinary rating counts for.")
    package static let parameters = [ordinary.declaration, doubt.declaration]

    private let ordinary: Double
    private let doubt: Double

    package init(_ parameters: ParameterValues) {
        ordinary = parameters[Self.ordinary]
        doubt = parameters[Self.doubt]
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Int { 0 }

    package func contribution(of item: Offer, given facts: Int) throws(StageFailure) -> Contribution? {
        guard let rating = item.candidate.rating, rating.isFinite else { return nil }
        let count = Double(max(1, item.candidate.reviewCount ?? 1))
        let drawn = (rating * count + ordinary * doubt) / (count + doubt)
        return Contribution(min(1, max(0, (drawn - 3) / 2)))
    }
}
