package import JSONDocument

/// An amount in minor units of its currency: ¥3000 is 3000, $30 is 3000.
package struct Money: Hashable, Sendable {
    package let minorUnits: Int
    package let currency: Currency

    package init(_ minorUnits: Int, _ currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }
}

extension Money: CustomStringConvertible {
    /// The amount by its currency's code: `USD 42.00`, `JPY 3000`, `KWD 1.250`.
    package var description: String {
        let exponent = currency.exponent
        let digits = String(minorUnits.magnitude)
        let sign = minorUnits < 0 ? "-" : ""
        guard exponent > 0 else { return "\(currency) \(sign)\(digits)" }
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        return "\(currency) \(sign)\(padded.dropLast(exponent)).\(padded.suffix(exponent))"
    }
}

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

extension Currency {
    /// How many digits of the amount lie behind the point, as ISO 4217 lists them.
    package var exponent: Int { Self.exponents[code] ?? 2 }

    private static let exponents: [String: Int] = {
        let digits: [Int: String] = [
            0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
            3: "BHD IQD JOD KWD LYD OMR TND",
            4: "CLF UYW",
        ]
        var table: [String: Int] = [:]
        for (exponent, codes) in digits {
            for code in codes.split(separator: " ") { table[String(code)] = exponent }
        }
        return table
    }()
}

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

extension Budget {
    /// Reads one tier's budget and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let minimum = reader.required("min_cents")?.minorUnits()
        let maximum = reader.required("max_cents")?.minorUnits()
        let currency = reader.required("currency")?.currency()
        guard let minimum, let maximum, let currency else { return nil }
        guard minimum <= maximum else {
            reader.note("min_cents \(minimum) is greater than max_cents \(maximum)")
            return nil
        }
        self.init(minimum: minimum, maximum: maximum, currency: currency)
    }

    package var json: JSONValue {
        ["min_cents": .integer(minimum), "max_cents": .integer(maximum), "currency": .string(currency.code)]
    }
}
