/// Numbers as short decimals, without a formatter of the system.
enum DecimalText {
    /// A value with so many digits after the point; out of all bounds it says what it is.
    static func fixed(_ value: Double, _ places: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
        guard abs(value) < 1e12 else { return "\(value)" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = "\(scaled % scale)"
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// A value the way a person would write it: no `.0`, no trailing noise.
    static func plain(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return fixed(value, 0) }
        if value == value.rounded() { return "\(Int(value))" }
        return "\(value)"
    }

    /// A value cut to so many significant digits.
    static func rounded(_ value: Double, digits: Int) -> Double {
        guard value.isFinite, value != 0 else { return value }
        // Going through text gives the double nearest to the decimal, which multiplying by powers of ten does not.
        var exponent = 0
        var size = abs(value)
        while size >= 10 {
            size /= 10
            exponent += 1
        }
        while size < 1 {
            size *= 10
            exponent -= 1
        }
        let kept = Int((size * power(digits - 1)).rounded())
        return Double("\(value < 0 ? "-" : "")\(kept)e\(exponent - digits + 1)") ?? value
    }

    /// The value with the fewest digits after the point that lies between two bounds, the second one included.
    static func roundest(after excluded: Double, to included: Double) -> Double {
        for places in 0...9 {
            let scale = power(places)
            // The multiple nearest to the bound that is left out, for that is the smaller change.
            let whole =
                excluded < included ? (excluded * scale).rounded(.down) + 1 : (excluded * scale).rounded(.up) - 1
            let value = Double("\(fixed(whole, 0))e-\(places)") ?? whole / scale
            let isInside =
                excluded < included ? value > excluded && value <= included : value < excluded && value >= included
            if isInside { return value }
        }
        return included
    }

    private static func power(_ exponent: Int) -> Double {
        (0..<max(0, exponent)).reduce(1) { power, _ in power * 10 }
    }
}
