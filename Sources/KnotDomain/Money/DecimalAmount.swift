/// A decimal number as it was written, so that no amount of money goes through a binary one.
package struct DecimalAmount: Hashable, Sendable {
    /// The value is `digits` × 10 to the power of `exponent`.
    private let digits: Int
    private let exponent: Int

    /// Reads `29.36`, `-0.5`, `1200`, `1.2e3`; nil for everything else, and for more digits than an integer holds.
    package init?(_ text: String) {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let isNegative = halves[0].hasPrefix("-")
        let parts = halves[0].dropFirst(isNegative ? 1 : 0).split(
            separator: ".",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let fraction = parts.count == 2 ? parts[1] : ""
        guard !parts[0].isEmpty, parts.count == 1 || !fraction.isEmpty,
            (parts[0] + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let digits = Int(parts[0] + fraction)
        else { return nil }
        var power = 0
        if halves.count == 2 {
            guard let written = Int(halves[1]), (-100...100).contains(written) else { return nil }
            power = written
        }
        self.digits = isNegative ? -digits : digits
        exponent = power - fraction.utf8.count
    }

    package init(_ integer: Int) {
        digits = integer
        exponent = 0
    }

    /// The number where it is whole, however it was written; nil where it is not, or does not fit.
    package var whole: Int? {
        var (number, power) = (digits, exponent)
        while power < 0, number % 10 == 0, number != 0 { (number, power) = (number / 10, power + 1) }
        guard number != 0 else { return 0 }
        guard power >= 0 else { return nil }
        for _ in 0..<power {
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            if overflows { return nil }
            number = product
        }
        return number
    }

    /// The amount in a currency's smallest coins, halves to even; nil where it does not fit.
    package func minorUnits(of currency: Currency) -> Int? {
        let power = exponent + currency.exponent
        var amount = digits
        if power >= 0 {
            for _ in 0..<power where amount != 0 {
                let (product, overflows) = amount.multipliedReportingOverflow(by: 10)
                if overflows { return nil }
                amount = product
            }
            return amount
        }
        var divisor = 1
        for _ in 0..<(-power) {
            let (product, overflows) = divisor.multipliedReportingOverflow(by: 10)
            // Beyond an integer's digits there is nothing left before the point.
            if overflows { return 0 }
            divisor = product
        }
        let (quotient, remainder) = amount.quotientAndRemainder(dividingBy: divisor)
        let (rest, whole) = (remainder.magnitude, UInt(divisor))
        let isUp = rest > whole - rest || rest == whole - rest && quotient % 2 != 0
        return isUp ? quotient + (amount < 0 ? -1 : 1) : quotient
    }
}
