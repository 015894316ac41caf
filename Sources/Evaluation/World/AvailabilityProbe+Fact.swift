import Recommendation

extension AvailabilityProbe {
    /// What a look at the page of a fixture's candidate would bring home.
    init(_ fact: AvailabilityFact) {
        switch fact.check {
        case .available: self.init(status: fact.httpStatus, signal: .inStock, price: .notLooked)
        case .soldOut: self.init(status: fact.httpStatus, signal: .outOfStock, price: .notLooked)
        case .closed: self.init(status: fact.httpStatus, signal: .permanentlyClosed, price: .notLooked)
        case .gone, .blocked: self.init(status: fact.httpStatus, signal: .none, price: .notLooked)
        case .priceChanged:
            self.init(
                status: fact.httpStatus,
                signal: .inStock,
                price: fact.checkedPriceCents.map { .minorUnits($0) } ?? .unknown
            )
        }
    }
}
