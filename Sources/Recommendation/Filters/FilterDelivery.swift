import KnotDomain
package import StageGraph

/// Drops parcels that would arrive after the occasion's day.
package struct FilterDelivery: FilterStage {
    package static let kind = "filter.delivery"
    package static let summary = "Drops parcels that arrive after the day."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func verdict(on item: Offer, given brief: Brief) throws(StageFailure) -> FilterVerdict {
        guard let occurrence = brief.occurrence else { return .keep }
        guard let days = item.candidate.shipsInDays else {
            return item.candidate.type == .gift ? .keepFlagged(["delivery_unknown"]) : .keep
        }
        let arrival = brief.today.adding(days: days)
        return arrival <= occurrence
            ? .keep : .drop(reason: "arrives_late", evidence: "\(arrival) is after \(occurrence)")
    }
}
