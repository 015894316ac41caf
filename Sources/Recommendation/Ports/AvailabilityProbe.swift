package import JSONDocument
package import KnotDomain

/// What the outside said of one item, as facts; what they mean is each pipeline's verdict.
package struct AvailabilityProbe: Sendable, Hashable {
    package enum Signal: String, CaseIterable, Sendable {
        case inStock = "in_stock"
        case outOfStock = "out_of_stock"
        case permanentlyClosed = "permanently_closed"
        /// There is no such page: the link leads into a private network.
        case misleading = "misleading_link"
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
        /// One of several, from the least to the most; nil where only the least is said.
        case between(Int, Int?)
    }

    /// Days until it arrives by the country's two letters, "" where the page names no country; most pages say nothing.
    package let deliveryDays: [String: Int]

    /// Currency of the price if the page asks it in another one than the listing.
    package var currency: Currency?

    package init(status: Int?, signal: Signal, price: PriceFinding, deliveryDays: [String: Int] = [:]) {
        self.status = status
        self.signal = signal
        self.price = price
        self.deliveryDays = deliveryDays
    }

    /// Days until it arrives in a country, the quickest there is where nobody knows the country; nil where it is not said.
    package func days(to country: String?) -> Int? {
        guard let country else { return deliveryDays.values.min() }
        return deliveryDays[country] ?? deliveryDays[""]
    }
}

extension AvailabilityProbe {
    package var json: JSONValue {
        let asked: JSONValue =
            switch price {
            case .notLooked: "not_looked"
            case .unknown: .null
            case .minorUnits(let amount): .integer(amount)
            case .between(let low, let high): [.integer(low), JSONValue(high)]
            }
        var members: [JSONObject.Member] = [
            .init(name: "status", value: JSONValue(status)), .init(name: "signal", value: .string(signal.rawValue)),
            .init(name: "price", value: asked),
        ]
        // Written only where it says something: records of before are read, and stay as they were.
        if !deliveryDays.isEmpty {
            let days = deliveryDays.sorted { $0.key < $1.key }
            let object = JSONObject(days.map { .init(name: $0.key, value: .integer($0.value)) })
            members.append(.init(name: "delivery_days", value: .object(object)))
        }
        if let currency { members.append(.init(name: "currency", value: .string(currency.code))) }
        return .object(JSONObject(members))
    }

    package init?(json: JSONValue) {
        guard let signal = json["signal"]?.string.flatMap(Signal.init(rawValue:)), let asked = json["price"] else {
            return nil
        }
        let price: PriceFinding
        switch asked {
        case .string: price = .notLooked
        case .integer(let amount): price = .minorUnits(amount)
        case .array(let ends): price = ends.first?.int.map { .between($0, ends.last?.int) } ?? .unknown
        default: price = .unknown
        }
        let days = (json["delivery_days"]?.object?.members ?? []).compactMap { day in
            day.value.int.map { (day.name, $0) }
        }
        self.init(
            status: json["status"]?.int,
            signal: signal,
            price: price,
            deliveryDays: Dictionary(days.filter { (0...365).contains($0.1) }) { first, _ in first }
        )
        currency = json["currency"]?.string.flatMap(Currency.init)
    }
}
