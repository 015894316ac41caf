import KnotDomain
package import StageGraph

/// Drops events that are over or come after the occasion's day, by the local calendar.
package struct FilterDates: FilterStage {
    package static let kind = "filter.dates"
    package static let summary = "Drops events that are over or too late."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let horizon = Parameter<Int>(
        "horizon_days",
        default: 60,
        in: 1...730,
        "How far ahead an event may be if the occasion has no date."
    )
    package static let parameters = [horizon.declaration]

    private let horizon: Int

    package init(_ parameters: ParameterValues) {
        horizon = parameters[Self.horizon]
    }

    package func verdict(on item: Offer, given brief: Brief) throws(StageFailure) -> FilterVerdict {
        guard let start = item.candidate.startsAt else { return .keep }
        // The local day is that of the place, as the card says it.
        let day = brief.localStart(of: item.candidate)?.date ?? brief.zone.localDate(at: start)
        if start <= brief.asOf { return .drop(reason: "already_past", evidence: day.description) }
        let last = brief.occurrence ?? brief.today.adding(days: horizon)
        return day <= last ? .keep : .drop(reason: "too_late", evidence: "\(day) is after \(last)")
    }
}
