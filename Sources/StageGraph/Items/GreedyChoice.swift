#if canImport(Glibc)
import Glibc
#endif

/// Maximal marginal relevance: the next item has the best mix of its own score and distance to what is chosen.
package struct MarginalRelevance: Sendable {
    /// 1 looks at scores alone.
    package let lambda: Double

    package init(lambda: Double) { self.lambda = lambda }

    /// Places in the order of choice, `fixed` ones first; the lowest place wins a tie, and what does not fit beside the chosen is passed over:
    /// what does not fit now must not fit later either.
    package func choose(
        _ count: Int,
        fixed: [Int] = [],
        scores: [Double],
        similarity: (Int, Int) -> Double,
        fits: (_ next: Int, _ chosen: [Int]) -> Bool = { _, _ in true }
    ) -> [Int] {
        var chosen: [Int] = []
        var nearest = [Double](repeating: 0, count: scores.count)
        var isOpen = [Bool](repeating: true, count: scores.count)
        while chosen.count < count {
            var best: (place: Int, value: Double)?
            for place in scores.indices where isOpen[place] {
                // The first choice has nothing to differ from.
                let value = chosen.isEmpty ? scores[place] : lambda * scores[place] - (1 - lambda) * nearest[place]
                if best.map({ value > $0.value }) ?? true { best = (place, value) }
            }
            let fixed = chosen.count < fixed.count ? fixed[chosen.count] : nil
            guard let next = fixed ?? best?.place else { break }
            isOpen[next] = false
            guard fixed != nil || fits(next, chosen) else { continue }
            chosen.append(next)
            for place in scores.indices {
                let near = similarity(place, next)
                nearest[place] = chosen.count == 1 ? near : max(nearest[place], near)
            }
        }
        return chosen
    }
}

/// Greedy MAP inference of a determinantal point process by incremental Cholesky rows, as Chen and others gave it in 2018.
package struct DeterminantalChoice: Sendable {
    package let alpha: Double

    package init(alpha: Double) { self.alpha = alpha }

    /// Below this squared pivot an item adds nothing that is not there already.
    private static let smallestPivot = 1e-10

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
