#if canImport(Glibc)
import Glibc
#endif

/// How far the mix of kinds in a list is from the mix it should have; shares add up to 1.
package enum Calibration {
    /// The share of the target that is mixed into the list's own shares, as Steck has it.
    package static let smoothing = 0.01

    /// KL(target || 0.99 shown + 0.01 target) in bits.
    package static func divergence(target: [Double], shown: [Double]) -> Double {
        zip(target, shown).reduce(0) { sum, pair in
            guard pair.0 > 0 else { return sum }
            return sum + pair.0 * log2(pair.0 / ((1 - smoothing) * pair.1 + smoothing * pair.0))
        }
    }

    /// The share of each kind in a list of kinds; nil for an empty list.
    package static func shares(of kinds: [Int], kindCount: Int) -> [Double]? {
        guard !kinds.isEmpty else { return nil }
        var shares = [Double](repeating: 0, count: kindCount)
        for kind in kinds { shares[kind] += 1 }
        let total = shares.reduce(0, +)
        return shares.map { $0 / total }
    }

    /// The divergence of a list beyond the least that any list of its length from this pool could have.
    ///
    /// Three places and three kinds make ten mixes only, so the divergence itself has a floor that is nobody's fault.
    package static func regret(of kinds: [Int], target: [Double], pool: [Int]) -> Double? {
        guard let shown = shares(of: kinds, kindCount: target.count) else { return nil }
        let divergences = compositions(of: kinds.count, within: pool).map { counts in
            divergence(target: target, shown: counts.map { Double($0) / Double(kinds.count) })
        }
        guard let least = divergences.min() else { return nil }
        // A list may hold what the pool is not counted to have, such as something forbidden; it gains nothing by that.
        return max(0, divergence(target: target, shown: shown) - least)
    }

    /// All ways to fill so many places with no more of each kind than the pool has.
    static func compositions(of places: Int, within pool: [Int]) -> [[Int]] {
        guard let first = pool.first else { return places == 0 ? [[]] : [] }
        return (0...min(places, max(0, first))).flatMap { count in
            compositions(of: places - count, within: Array(pool.dropFirst())).map { [count] + $0 }
        }
    }
}
