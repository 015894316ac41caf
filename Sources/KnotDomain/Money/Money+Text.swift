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
