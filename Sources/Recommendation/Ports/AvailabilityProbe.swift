package import JSONDocument
import KnotDomain

/// What the outside said of one item, as facts; what they mean is each pipeline's verdict.
package struct AvailabilityProbe: Sendable, Hashable {
    package enum Signal: String, CaseIterable, Sendable {
        case inStock = "in_stock"
        case outOfStock = "out_of_stock"
        case permanentlyClosed = "permanently_closed"
        /// The page said nothing either way.
        case none
    }

    /// The HTTP status of the page; nil when there was no answer.
    package let status: Int?
    package let signal: Signal
    /// What the page asks now; nil inside when it no longer says.
    package let price: PriceFinding

    package enum PriceFinding: Sendable, Hashable {
        /// The probe did not look at the price.
        case notLooked
        case unknown
        case minorUnits(Int)
    }

    package init(status: Int?, signal: Signal, price: PriceFinding) {
        self.status = status
        self.signal = signal
        self.price = price
    }
}

extension AvailabilityProbe {
    package var json: JSONValue {
        let asked: JSONValue =
            switch price {
            case .notLooked: "not_looked"
            case .unknown: .null
            case .minorUnits(let amount): .integer(amount)
            }
        return ["status": JSONValue(status), "signal": .string(signal.rawValue), "price": asked]
    }

    package init?(json: JSONValue) {
        guard let signal = json["signal"]?.string.flatMap(Signal.init(rawValue:)), let asked = json["price"] else {
            return nil
        }
        let price: PriceFinding
        switch asked {
        case .string: price = .notLooked
        case .integer(let amount): price = .minorUnits(amount)
        default: price = .unknown
        }
        self.init(status: json["status"]?.int, signal: signal, price: price)
    }
}
