extension JSONWriter {
    static func append(_ number: Int, to output: inout [UInt8]) {
        guard number > 9 || number < 0 else { return output.append(UInt8(ascii: "0") + UInt8(number)) }
        output.append(contentsOf: String(number).utf8)
    }

    static func append(_ number: Double, to output: inout [UInt8]) {
        output.append(contentsOf: numberText(number).utf8)
    }

    /// A double as ECMAScript writes it, which RFC 8785 asks for: the shortest digits that read back the same.
    static func numberText(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        guard number != 0 else { return "0" }
        // Without a power, Swift's own layout is the same but for a fraction of nothing.
        let own = number.description
        if !own.utf8.contains(UInt8(ascii: "e")) { return own.hasSuffix(".0") ? String(own.dropLast(2)) : own }
        let (digits, exponent) = shortestDigits(of: number.magnitude)
        let sign = number < 0 ? "-" : ""
        let count = digits.count
        // `point` is where the decimal point stands, counted from the first digit.
        let point = exponent + 1
        if count <= point, point <= 21 {
            return sign + digits + String(repeating: "0", count: point - count)
        }
        if 0 < point, point <= 21 {
            return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        }
        if -6 < point, point <= 0 {
            return sign + "0." + String(repeating: "0", count: -point) + digits
        }
        let power = point - 1
        let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst(1)
        return "\(sign)\(mantissa)e\(power < 0 ? "-" : "+")\(power.magnitude)"
    }

    /// Swift's own description has the shortest digits; only its layout differs from ECMAScript's.
    private static func shortestDigits(of number: Double) -> (digits: String, exponent: Int) {
        let parts = number.description.split(separator: "e")
        var exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let halves = parts[0].split(separator: ".")
        var digits = String(halves[0])
        if halves.count == 2, halves[1] != "0" { digits += halves[1] }
        exponent += halves[0].count - 1
        let leading = digits.prefix { $0 == "0" }.count
        digits.removeFirst(leading)
        exponent -= leading
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return (digits, exponent)
    }
}
