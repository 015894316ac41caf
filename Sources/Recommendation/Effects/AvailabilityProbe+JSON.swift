package import JSONDocument

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
