import KnotDomain
package import StageGraph

/// Finds the best set under the hard rules, exactly, by branch and bound.
///
/// Offers stand in the graph's order, so scores only fall to the right: a partial set can gain at most the scores that
/// come next and a full distance for each pair still open. Where that is no better than the best set found, the branch is
/// cut. Equal values are decided by the order of the offers, so the answer never depends on how the search went.
package struct SetSearch: Sendable {
    package let ranked: [Ranked<Offer>]
    private let objective: SetObjective
    private let traits: [SetObjective.Trait]
    private let poolHasTwoTypes: Bool

    /// The ranked offers must be in the graph's order; where they are a part of a pool, the pool's types may be told.
    package init(_ ranked: [Ranked<Offer>], objective: SetObjective, brief: Brief, hasTwoTypes: Bool? = nil) {
        self.ranked = ranked
        self.objective = objective
        traits = ranked.map { SetObjective.trait(of: $0, in: brief) }
        poolHasTwoTypes = hasTwoTypes ?? ranked.contains { $0.item.candidate.type != ranked[0].item.candidate.type }
    }

    package func value(of set: [Int]) -> Double {
        objective.value(of: set.sorted(), traits) { objective.distance(traits[$0], traits[$1]) }
    }

    /// Whether a set keeps every hard rule.
    package func isAllowed(_ set: [Int]) -> Bool {
        for (place, first) in set.enumerated() {
            for second in set[(place + 1)...] where !objective.rules.allows(ranked[first], ranked[second]) {
                return false
            }
        }
        return hasEnoughTypes(set)
    }

    /// What is known of pairs, for whoever asks more than once.
    func pairs() -> Pairs { Pairs(ranked, traits, objective) }

    /// Whether some set of `size` places holds all these and keeps every hard rule.
    func canComplete(_ partial: [Int], to size: Int, _ pairs: Pairs) -> Bool {
        guard let last = partial.last else { return canGrow(partial, to: size, from: 0, pairs) }
        guard partial.dropLast().allSatisfy({ pairs.allows($0, last) }) else { return false }
        return canGrow(partial, to: size, from: 0, pairs)
    }

    private func canGrow(_ partial: [Int], to size: Int, from start: Int, _ pairs: Pairs) -> Bool {
        if partial.count >= size { return hasEnoughTypes(partial) }
        for place in start..<max(start, ranked.count)
        where !partial.contains(place) && partial.allSatisfy({ pairs.allows($0, place) }) {
            if canGrow(partial + [place], to: size, from: place + 1, pairs) { return true }
        }
        return false
    }

    /// The best set of `size` places that holds all the `fixed` ones, the rest taken from `open`; nil when there is none.
    package func best(size: Int, fixed: [Int] = [], open: [Int]) -> [Int]? {
        guard fixed.count <= size, fixed.count + open.count >= size else { return nil }
        let pairs = pairs()
        if fixed.count > 1,
            !fixed.indices.allSatisfy({ index in
                fixed[(index + 1)...].allSatisfy { pairs.allows(fixed[index], $0) }
            })
        {
            return nil
        }
        var best: (set: [Int], value: Double)?
        extend(fixed, size: size, from: 0, in: open.sorted(), pairs, &best)
        return best?.set
    }

    private func extend(
        _ partial: [Int],
        size: Int,
        from start: Int,
        in open: [Int],
        _ pairs: Pairs,
        _ best: inout (set: [Int], value: Double)?
    ) {
        guard partial.count < size else {
            guard hasEnoughTypes(partial) else { return }
            let set = partial.sorted()
            let value = objective.value(of: set, traits, pairs.distance)
            if let known = best,
                value < known.value || value == known.value && !set.lexicographicallyPrecedes(known.set)
            {
                return
            }
            best = (set, value)
            return
        }
        for place in start..<open.count {
            let needed = size - partial.count
            if place + needed > open.count { return }
            if let known = best, bound(partial, next: open[place..<place + needed], pairs) < known.value { return }
            let next = open[place]
            guard partial.allSatisfy({ pairs.allows($0, next) }) else { continue }
            extend(partial + [next], size: size, from: place + 1, in: open, pairs, &best)
        }
    }

    /// The most a partial set can still become: the next scores, which are the highest left, and every open pair at 1.
    private func bound(_ partial: [Int], next: ArraySlice<Int>, _ pairs: Pairs) -> Double {
        let scores = partial.reduce(0) { $0 + traits[$1].score } + next.reduce(0) { $0 + traits[$1].score }
        var spread = 0.0
        for (place, first) in partial.enumerated() {
            for second in partial[(place + 1)...] { spread += pairs.distance(first, second) }
        }
        let size = partial.count + next.count
        spread += Double(size * (size - 1) / 2 - partial.count * (partial.count - 1) / 2)
        // A hair above, so that rounding never cuts a set that is exactly as good.
        return (1 - objective.strength) * scores / 3 + objective.strength * spread / 3 + 1e-12
    }

    private func hasEnoughTypes(_ set: [Int]) -> Bool {
        guard objective.rules.twoTypes, set.count > 1, poolHasTwoTypes else { return true }
        return set.contains { traits[$0].type != traits[set[0]].type }
    }
}

extension SetSearch {
    /// What is known of pairs of offers during one search, worked out when a pair is first looked at: most never are.
    final class Pairs {
        private let ranked: [Ranked<Offer>]
        private let traits: [SetObjective.Trait]
        private let objective: SetObjective
        /// No number where nobody has asked yet.
        private var distances: [Double]
        private var allowances: [Bool?]

        init(_ ranked: [Ranked<Offer>], _ traits: [SetObjective.Trait], _ objective: SetObjective) {
            self.ranked = ranked
            self.traits = traits
            self.objective = objective
            distances = [Double](repeating: .nan, count: ranked.count * ranked.count)
            allowances = [Bool?](repeating: nil, count: ranked.count * ranked.count)
        }

        /// The same in both directions.
        func distance(_ first: Int, _ second: Int) -> Double {
            let (left, right) = (min(first, second), max(first, second))
            let place = left * ranked.count + right
            if distances[place].isNaN { distances[place] = objective.distance(traits[left], traits[right]) }
            return distances[place]
        }

        /// Whether the two may stand side by side; the same in both directions.
        func allows(_ first: Int, _ second: Int) -> Bool {
            let (left, right) = (min(first, second), max(first, second))
            let place = left * ranked.count + right
            if let known = allowances[place] { return known }
            let fits = objective.rules.allows(ranked[left], ranked[right])
            allowances[place] = fits
            return fits
        }
    }
}
