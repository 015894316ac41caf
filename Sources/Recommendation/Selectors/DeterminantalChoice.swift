#if canImport(Glibc)
import Glibc
#endif

/// Greedy MAP inference of a determinantal point process by incremental Cholesky rows, as Chen and others gave it in 2018.
package struct DeterminantalChoice: Sendable {
    package let alpha: Double
    /// Below this squared pivot an item adds nothing that is not there already.
    private static let smallestPivot = 1e-10

    package init(alpha: Double) {
        self.alpha = alpha
    }

    /// Places in the order of choice, `fixed` ones first, on L = q_i q_j s_ij with q = exp(alpha r / 2); the lowest place wins a tie, and what
    /// does not fit beside the chosen is passed over: what does not fit now must not fit later either.
    package func choose(
        _ count: Int,
        fixed: [Int] = [],
        scores: [Double],
        similarity: (Int, Int) -> Double,
        fits: (_ next: Int, _ chosen: [Int]) -> Bool = { _, _ in true }
    ) -> [Int] {
        let quality = scores.map { exp(alpha * $0 / 2) }
        var pivots = scores.indices.map { quality[$0] * quality[$0] * similarity($0, $0) }
        var rows = [[Double]](repeating: [], count: scores.count)
        var isOpen = [Bool](repeating: true, count: scores.count)
        var chosen: [Int] = []
        while chosen.count < count {
            var best: Int?
            for place in scores.indices where isOpen[place] {
                if best.map({ pivots[place] > pivots[$0] }) ?? true { best = place }
            }
            let fixed = chosen.count < fixed.count ? fixed[chosen.count] : nil
            guard let next = fixed ?? best, fixed != nil || pivots[next] >= Self.smallestPivot else { break }
            isOpen[next] = false
            guard fixed != nil || fits(next, chosen) else { continue }
            chosen.append(next)
            let root = max(pivots[next], Self.smallestPivot).squareRoot()
            for place in scores.indices where isOpen[place] {
                let kernel = quality[place] * quality[next] * similarity(place, next)
                let projected = zip(rows[next], rows[place]).reduce(0) { $0 + $1.0 * $1.1 }
                let entry = (kernel - projected) / root
                rows[place].append(entry)
                pivots[place] -= entry * entry
            }
        }
        return chosen
    }
}
