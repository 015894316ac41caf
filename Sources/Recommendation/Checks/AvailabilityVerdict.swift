import KnotDomain
import StageGraph

/// What a probe's facts mean: an item that stands, one that may stand, or one that is lost.
enum AvailabilityVerdict: Sendable {
    case available(Offer)
    case unknown(Offer)
    case lost(reason: String, evidence: String)

    /// A bot wall or a silent server says nothing; only "gone", "sold out", "closed" and a price that left the budget do.
    init(_ answer: Result<AvailabilityProbe, StageFailure>, for offer: Offer, _ brief: Brief) {
        guard case .success(let probe) = answer else {
            self = .unknown(offer)
            return
        }
        switch probe.signal {
        case .outOfStock:
            self = .lost(reason: "sold_out", evidence: "the page says it is out of stock")
            return
        case .permanentlyClosed:
            self = .lost(reason: "closed", evidence: "the provider says it has closed for good")
            return
        case .inStock, .none: break
        }
        guard let status = probe.status else {
            self = .unknown(offer)
            return
        }
        if status == 404 || status == 410 {
            self = .lost(reason: "gone", evidence: "the page answered \(status)")
            return
        }
        guard (200..<400).contains(status) else {
            self = .unknown(offer)
            return
        }
        self = Self.atPrice(probe.price, offer, brief)
    }

    private static func atPrice(
        _ price: AvailabilityProbe.PriceFinding,
        _ offer: Offer,
        _ brief: Brief
    ) -> AvailabilityVerdict {
        switch price {
        case .notLooked: return .available(offer)
        case .unknown: return .available(offer.repriced(nil))
        case .minorUnits(let amount):
            let moved = amount == offer.candidate.priceCents ? offer : offer.repriced(amount)
            guard let total = moved.price.total(of: moved.candidate, in: brief.budget, rates: brief.rates) else {
                return .available(moved)
            }
            if case .drop(let reason, let evidence) = BudgetRule.verdict(on: total, in: brief.budget) {
                return .lost(reason: reason, evidence: "the price is now \(evidence)")
            }
            return .available(moved)
        }
    }

    var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}
