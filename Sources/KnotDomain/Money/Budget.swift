/// What may be spent on one kind of occasion, both bounds included, in minor units.
package struct Budget: Hashable, Sendable {
    package let minimum: Int
    package let maximum: Int
    package let currency: Currency

    package init(minimum: Int, maximum: Int, currency: Currency) {
        self.minimum = minimum
        self.maximum = maximum
        self.currency = currency
    }

    package func contains(_ minorUnits: Int) -> Bool { minimum <= minorUnits && minorUnits <= maximum }
}
