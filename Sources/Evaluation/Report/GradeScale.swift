/// The part of the grades, 0 to 3, that a picture of means and intervals needs, in quarters.
struct GradeScale: Sendable {
    let lowest: Double
    let highest: Double

    init(covering estimates: [Estimate]) {
        let values = estimates.flatMap { [$0.mean, $0.interval?.lowerBound, $0.interval?.upperBound] }.compactMap(
            \.self
        )
        guard let least = values.min(), let most = values.max() else {
            (lowest, highest) = (0, 3)
            return
        }
        let low = max(0, (least * 4).rounded(.down) / 4)
        let high = min(3, (most * 4).rounded(.up) / 4)
        // Half a grade at least, so that a hair's breadth does not look like a mountain.
        lowest = max(0, min(low, high - 0.5))
        highest = max(high, lowest + 0.5)
    }

    /// 0 at the lowest, 1 at the highest.
    func place(of grade: Double) -> Double { (grade - lowest) / (highest - lowest) }

    /// Round grades from the lowest to the highest, seven at most.
    var lines: [Double] {
        let step = highest - lowest > 1.5 ? 0.5 : 0.25
        let first = (lowest / step).rounded(.up) * step
        return Array(stride(from: first, through: highest + 1e-9, by: step))
    }
}
