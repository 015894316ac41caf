/// What the differences of two systems over the same topics say, by Student's t; the sign-flip test stands beside it.
package struct PairedDifference: Sendable, Hashable {
    /// New minus old, one for each topic.
    package let sample: Sample
    package let wins: Int
    package let ties: Int
    package let losses: Int

    /// The values of two systems, topic by topic; what is undefined for either is left out of both.
    package init(from old: [Double?], to new: [Double?]) {
        precondition(old.count == new.count, "systems are compared over the same topics")
        self.init(zip(old, new).compactMap { pair in pair.0.flatMap { first in pair.1.map { $0 - first } } })
    }

    /// Differences that are known already.
    package init(_ differences: [Double]) {
        sample = Sample(differences)
        wins = differences.count { $0 > 0 }
        losses = differences.count { $0 < 0 }
        ties = differences.count - wins - losses
    }

    package var mean: Double? { sample.mean }

    private var student: StudentT? { sample.count > 1 ? StudentT(degrees: Double(sample.count - 1)) : nil }

    /// How many standard errors the mean is above a value; infinite where nothing varies, nil where nothing is known.
    private func statistic(above value: Double) -> Double? {
        guard let mean, let error = sample.standardError else { return nil }
        let distance = mean - value
        if error > 0 { return distance / error }
        return distance == 0 ? 0 : distance > 0 ? .infinity : -.infinity
    }

    /// Cohen's d of paired differences: the mean in standard deviations; nil where nothing varies.
    package var effectSize: Double? {
        guard let mean, let spread = sample.standardDeviation, spread > 0 else { return nil }
        return mean / spread
    }

    /// One-sided p of H0 "worse by the margin or more"; small means no worse than the margin.
    package func nonInferiorityP(margin: Double) -> Double? {
        statistic(above: -margin).flatMap { student?.upperTail($0) }
    }

    /// p of H0 "the difference is at least the margin, one way or the other": the larger of two one-sided ones (TOST).
    package func equivalenceP(margin: Double) -> Double? {
        guard let lower = nonInferiorityP(margin: margin), let above = statistic(above: margin), let student else {
            return nil
        }
        return max(lower, student.cumulative(above))
    }
}

/// Numbers of which the mean and the spread are asked.
package struct Sample: Sendable, Hashable {
    package let values: [Double]

    package init(_ values: [Double]) {
        self.values = values
    }

    package var count: Int { values.count }

    /// Nil without any number.
    package var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }

    /// The sample's standard deviation, over n - 1; nil below two numbers.
    package var standardDeviation: Double? {
        guard values.count > 1, let mean else { return nil }
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot()
    }

    /// The standard deviation of the mean.
    package var standardError: Double? { standardDeviation.map { $0 / Double(values.count).squareRoot() } }
}

/// Holm's step-down correction: what several p values are worth when they were looked at together.
package enum HolmAdjustment {
    /// The adjusted values in the order given: the largest so far of min(1, (m - j + 1) p), smallest p first.
    package static func adjusted(_ values: [Double]) -> [Double] {
        var result = values
        var largest = 0.0
        let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
        for (step, index) in order.enumerated() {
            largest = max(largest, min(1, Double(values.count - step) * values[index]))
            result[index] = largest
        }
        return result
    }
}
