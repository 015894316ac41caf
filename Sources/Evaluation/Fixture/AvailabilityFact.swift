package import JSONDocument
import KnotDomain

/// What an availability check of one candidate would find; each pipeline draws its own verdict from it.
package struct AvailabilityFact: Hashable, Sendable {
    /// The outside world's answer.
    package enum Check: String, CaseIterable, Sendable {
        /// 200, in stock.
        case available
        /// 200 with an out-of-stock signal.
        case soldOut = "sold_out"
        /// 200 with a permanently-closed signal.
        case closed
        /// 404.
        case gone
        /// 403, a bot wall.
        case blocked
        /// 200 with another price.
        case priceChanged = "price_changed"
    }

    package let check: Check
    /// For `priceChanged`, in the listed currency's minor units; nil when the price is unknown now.
    package let checkedPriceCents: Int?

    package init(check: Check, checkedPriceCents: Int?) {
        self.check = check
        self.checkedPriceCents = checkedPriceCents
    }

    /// Reads the fact that stands beside a candidate's own fields; a candidate that says nothing is available.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let check = reader.optional("check").map { $0.choice(Check.self) } ?? .available
        let price = reader.optional("checked_price_cents")?.minorUnits()
        guard reader.problems.list.count == before, let check else { return nil }
        self.init(check: check, checkedPriceCents: price)
    }

    /// The status code that a plain request for the page would get.
    package var httpStatus: Int {
        switch check {
        case .available, .soldOut, .closed, .priceChanged: 200
        case .gone: 404
        case .blocked: 403
        }
    }
}
