/// Middles and edges of a few numbers, and how they are written.
enum Statistics {
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The nearest rank.
    static func quantile(_ values: [Double], _ share: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let rank = Int((share * Double(values.count)).rounded(.up)) - 1
        return values.sorted()[min(values.count - 1, max(0, rank))]
    }

    /// Four significant digits, as a number.
    static func rounded(_ value: Double) -> Double {
        guard value.isFinite, value != 0 else { return 0 }
        var scale = 1.0
        while abs(value) * scale < 1_000, scale < 1e12 { scale *= 10 }
        return (value * scale).rounded() / scale
    }

    /// With as many decimals as make four significant digits, or the given number of digits.
    static func text(_ value: Double, digits: Int = 4) -> String {
        guard value.isFinite else { return "–" }
        var decimals = digits - 1
        var bound = 10.0
        while abs(value) >= bound, decimals > 0 {
            decimals -= 1
            bound *= 10
        }
        return fixed(value, decimals: decimals)
    }

    static func fixed(_ value: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let whole = Int((abs(value) * scale).rounded())
        let sign = value < 0 && whole != 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let digits = String(String(whole % Int(scale) + Int(scale)).dropFirst())
        return "\(sign)\(whole / Int(scale)).\(digits)"
    }
}
