import StageGraph

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
