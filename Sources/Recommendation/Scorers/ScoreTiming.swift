import KnotDomain
package import StageGraph
import TextReading

/// How well an offer's day fits the occasion: a parcel with days to spare, an event close to the day itself.
///
/// An event on the evening before the two are not free is worth less: who flies in the morning goes to bed early. A parcel of which nobody says when it arrives is no worry weeks before the day, and a great one in its week.
package struct ScoreTiming: ScoreStage {
    package static let kind = "score.timing"
    package static let summary = "Scores how well a delivery or an event's day fits the occasion."
    package static let revision = 4
    static let brief = InputPort<Brief>("brief")
    static let hints = OptionalPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, hints.declaration]

    static let spareDays = Parameter<Int>(
        "spare_days",
        default: 3,
        in: 0...60,
        "Days to spare from which a delivery gets the full score."
    )
    package static let parameters = [spareDays.declaration]
    /// Days to assume for a delivery of unknown duration.
    private static let unknownDays = 7
    /// The share of its score that an event on such an evening keeps.
    private static let eve = 0.4

    private let spareDays: Int

    package init(_ parameters: ParameterValues) {
        spareDays = parameters[Self.spareDays]
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> FilterWindows.Facts {
        FilterWindows.Facts(inputs.value(Self.hints), try inputs.value(Self.brief))
    }

    package func contribution(of item: Offer, given facts: FilterWindows.Facts) throws(StageFailure) -> Contribution? {
        let brief = facts.brief
        guard let occurrence = brief.occurrence else { return nil }
        if let start = brief.localStart(of: item.candidate) {
            let away = occurrence.daysSinceEpoch - start.date.daysSinceEpoch
            let when = away < 0 ? "\(-away) days after" : "\(away) days before"
            let value = 1 / (1 + Double(max(0, away)) / 14)
            return Contribution(
                facts.isEve(start.date) ? Self.eve * value : value,
                evidence: [Evidence(kind: "event", ref: when, weight: 1)]
            )
        }
        let known = item.shippingDays
        guard let days = known ?? (item.isParcelOfUnknownDelivery ? Self.unknownDays : nil) else { return nil }
        let spare = occurrence.daysSinceEpoch - brief.today.adding(days: days).daysSinceEpoch
        let value = value(ofSpare: spare, days)
        let said = known != nil ? "\(spare) days to spare" : "unknown, \(spare + days) days left"
        return Contribution(value, evidence: [Evidence(kind: "delivery", ref: said, weight: value)])
    }

    /// Without a day to spare it is a worry; what is taken to come too late is one the more, the more it is late.
    private func value(ofSpare spare: Int, _ days: Int) -> Double {
        guard spare >= 0 else { return 0.6 * Double(max(0, spare + days)) / Double(days) }
        return spareDays == 0 ? 1 : min(1, 0.6 + 0.4 * Double(spare) / Double(spareDays))
    }
}
