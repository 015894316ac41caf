import KnotDomain
package import StageGraph

/// Drops parcels that would arrive after the occasion's day, and those of which nobody says it when the day is near.
package struct FilterDelivery: FilterStage {
    package static let kind = "filter.delivery"
    package static let summary = "Drops deliveries that arrive after the day."
    package static let revision = 3
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    /// Days to allow for a delivery of unknown duration.
    static let unknownDays = 4

    package init() {}

    package func verdict(on item: Offer, given brief: Brief) throws(StageFailure) -> FilterVerdict {
        guard let occurrence = brief.occurrence else { return .keep }
        guard let days = item.shippingDays else {
            guard item.candidate.type == .gift else { return .keep }
            let left = occurrence.daysSinceEpoch - brief.today.daysSinceEpoch
            guard item.isParcelOfUnknownDelivery, left < Self.unknownDays else {
                return .keepFlagged(["delivery_unknown"])
            }
            return .drop(reason: "delivery_unknown", evidence: "nobody says when it arrives, and \(left) days are left")
        }
        let arrival = brief.today.adding(days: days)
        return arrival <= occurrence
            ? .keep : .drop(reason: "arrives_late", evidence: "\(arrival) is after \(occurrence)")
    }
}
