/// An ISO 4217 currency code in upper case.
package struct Currency: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let code: String

    /// Accepts three ASCII letters in any case.
    package init?(_ code: String) {
        let upper = code.uppercased()
        guard upper.utf8.count == 3, upper.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { return nil }
        self.code = upper
    }

    /// For codes written in this room, which are known to be right.
    init(known code: String) {
        self.code = code
    }

    package static let usd = Currency(known: "USD")

    package static func < (left: Self, right: Self) -> Bool { left.code < right.code }
    package var description: String { code }
}
