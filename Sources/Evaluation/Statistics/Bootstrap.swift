import StageGraph

/// Percentile intervals of means by drawing the topics again; every metric of one comparison sees the same draws.
package struct Bootstrap: Sendable {
    package static let draws = 10_000

    /// For each draw, the topics drawn.
    private let resamples: [[Int32]]
    private let topicCount: Int

    package init(topics: Int, seed: UInt64, draws: Int = Self.draws) {
        var generator = SeededGenerator(seed: seed)
        topicCount = topics
        resamples =
            topics == 0
            ? []
            : (0..<draws).map { _ in
                (0..<topics).map { _ in Int32(truncatingIfNeeded: generator.next(upperBound: UInt64(topics))) }
            }
    }

    /// The interval of a mean over topics; nil below two values.
    ///
    /// Topics without a value are left out of each draw.
    package func interval(of values: [Double?], level: Double = 0.95) -> ClosedRange<Double>? {
        precondition(values.count == topicCount, "a bootstrap is made for its topics")
        guard values.count(where: { $0 != nil }) > 1 else { return nil }
        let numbers = values.map { $0 ?? 0 }
        let weights = values.map { $0 == nil ? 0.0 : 1.0 }
        var means: [Double] = []
        means.reserveCapacity(resamples.count)
        for resample in resamples {
            var sum = 0.0
            var count = 0.0
            for topic in resample {
                sum += numbers[Int(topic)]
                count += weights[Int(topic)]
            }
            if count > 0 { means.append(sum / count) }
        }
        means.sort()
        return Self.quantile(means, (1 - level) / 2)...Self.quantile(means, (1 + level) / 2)
    }

    /// Linear between the two nearest of sorted values.
    static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let lower = Int(place.rounded(.down))
        let upper = min(lower + 1, sorted.count - 1)
        return sorted[lower] + (place - Double(lower)) * (sorted[upper] - sorted[lower])
    }
}

/// The paired sign-flip test on a mean difference: exact up to twenty pairs, else by seeded draws.
package enum SignFlipTest {
    /// Draws beyond twenty pairs; p is then (c + 1) / (draws + 1), so it is never zero.
    package static let draws = 100_000

    /// Two-sided p of differences, one for each pair; nil without any pair.
    package static func twoSidedP(_ differences: [Double], seed: UInt64 = 0) -> Double? {
        guard !differences.isEmpty else { return nil }
        let observed = abs(differences.reduce(0, +)) - 1e-12 * Double(differences.count)
        if differences.count <= 20 {
            let patterns = 1 << differences.count
            var extreme = 0
            for pattern in 0..<patterns {
                var sum = 0.0
                for (index, difference) in differences.enumerated() {
                    sum += pattern >> index & 1 == 0 ? difference : -difference
                }
                if abs(sum) >= observed { extreme += 1 }
            }
            return Double(extreme) / Double(patterns)
        }
        var generator = SeededGenerator(seed: seed)
        var extreme = 0
        for _ in 0..<draws {
            var sum = 0.0
            var bits = generator.next()
            for (index, difference) in differences.enumerated() {
                if index % 64 == 0, index > 0 { bits = generator.next() }
                sum += bits >> UInt64(index % 64) & 1 == 0 ? difference : -difference
            }
            if abs(sum) >= observed { extreme += 1 }
        }
        return Double(extreme + 1) / Double(draws + 1)
    }
}
