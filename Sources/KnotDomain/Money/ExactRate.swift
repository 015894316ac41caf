/// A rate as the decimal number that was written, so that amounts convert without binary rounding.
struct ExactRate: Hashable, Sendable {
    /// The value is `digits` × 10 to the power of `exponent`.
    let digits: Int
    let exponent: Int
    let value: Double

    /// Nil unless the rate is a positive, finite number.
    init?(_ rate: Double) {
        guard rate.isFinite, rate > 0 else { return nil }
        // Swift describes a double by the shortest digits that read back the same: those that were written.
        let halves = rate.description.split(separator: "e")
        let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count == 2 && parts[1] != "0" ? parts[1] : ""
        guard let digits = Int(parts[0] + fraction) else { return nil }
        self.digits = digits
        exponent = (halves.count == 2 ? Int(halves[1]) ?? 0 : 0) - fraction.count
        value = rate
    }
}
