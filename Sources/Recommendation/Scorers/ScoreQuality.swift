import KnotDomain
package import StageGraph

/// Scores the rating, drawn towards the ordinary while there are few reviews or only the merchant counted them.
package struct ScoreQuality: ScoreStage {
    package static let kind = "score.quality"
    package static let summary = "Scores the ratings; few reviews pull the score toward the ordinary."

    private static let usualOrdinary = 4.3
    private static let usualDoubt = 25.0
    static let ordinary = Parameter<Double>(
        "ordinary",
        default: usualOrdinary,
        in: 0...5,
        "Rating of an ordinary offer."
    )
    static let doubt = Parameter<Double>(
        "doubt",
        default: usualDoubt,
        in: 0...1_000,
        "Number of reviews that the ordinary rating counts for."
    )
    package static let parameters = [ordinary.declaration, doubt.declaration]

    private let ordinary: Double
    private let doubt: Double

    package init(_ parameters: ParameterValues) {
        ordinary = parameters[Self.ordinary]
        doubt = parameters[Self.doubt]
    }

    package func contribution(of item: Offer, given facts: Void) throws(StageFailure) -> Contribution? {
        Self.drawn(item.candidate, to: ordinary, doubt).map { Contribution(min(1, max(0, ($0 - 3) / 2))) }
    }

    /// The rating, drawn towards the ordinary while few have spoken; nil where nobody has.
    private static func drawn(_ candidate: Candidate, to ordinary: Double, _ doubt: Double) -> Double? {
        guard let rating = candidate.rating, rating.isFinite else { return nil }
        let most = candidate.provider.showsMerchantsRatings ? max(1, Int(doubt)) : .max
        let count = Double(min(max(1, candidate.reviewCount ?? 1), most))
        return (rating * count + ordinary * doubt) / (count + doubt)
    }

    /// What a candidate's rating is worth beside another's: one that nobody has rated is in the middle, as in a total.
    static func usualRating(of candidate: Candidate) -> Double {
        let drawn = drawn(candidate, to: usualOrdinary, usualDoubt)
        return min(5, max(3, drawn ?? 4))
    }
}
