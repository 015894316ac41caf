/// Maximal marginal relevance: the next item has the best mix of its own score and distance to what is chosen.
package struct MarginalRelevance: Sendable {
    /// 1 looks at scores alone.
    package let lambda: Double

    package init(lambda: Double) {
        self.lambda = lambda
    }

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
