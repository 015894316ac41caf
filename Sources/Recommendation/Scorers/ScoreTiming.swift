import KnotDomain
package import StageGraph

/// How well an offer's day fits the occasion: a parcel with days to spare, an event close to the day itself.
package struct ScoreTiming: ScoreStage {
    package static let kind = "score.timing"
    package static let summary = "How well a parcel's arrival or an event's day fits the occasion."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let spareDays = Parameter<Int>(
        "spare_days",
        default: 3,
        in: 0...60,
        "Days to spare from which a parcel's arrival is no worry."
    )
    package static let parameters = [spareDays.declaration]

    private let spareDays: Int

    package init(_ parameters: ParameterValues) {
        spareDays = parameters[Self.spareDays]
    }

    package func contribution(of item: Offer, given brief: Brief) throws(StageFailure) -> Contribution? {
        guard let occurrence = brief.occurrence else { return nil }
        if let start = brief.localStart(of: item.candidate) {
            let away = occurrence.daysSinceEpoch - start.date.daysSinceEpoch
            let when = away < 0 ? "\(-away) days after" : "\(away) days before"
            return Contribution(
                1 / (1 + Double(max(0, away)) / 14),
                evidence: [Evidence(kind: "event", ref: when, weight: 1)]
            )
        }
        guard let days = item.candidate.shipsInDays else { return nil }
        let spare = occurrence.daysSinceEpoch - brief.today.adding(days: days).daysSinceEpoch
        let value = spareDays == 0 ? 1 : min(1, 0.6 + 0.4 * Double(max(0, spare)) / Double(spareDays))
        return Contribution(value, evidence: [Evidence(kind: "delivery", ref: "\(spare) days to spare", weight: value)])
    }
}
