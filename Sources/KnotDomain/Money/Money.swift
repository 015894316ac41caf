/// An amount in minor units of its currency: ¥3000 is 3000, $30 is 3000.
package struct Money: Hashable, Sendable {
    package let minorUnits: Int
    package let currency: Currency

    package init(_ minorUnits: Int, _ currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }
}
