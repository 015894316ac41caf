import KnotDomain
package import StageGraph
import TextEncoding

/// Finds the best set under the hard rules, exactly, by branch and bound.
///
/// Offers stand in the graph's order, so scores only fall to the right: a partial set can gain at most the scores that
/// come next and a full distance for each pair still open. Where that is no better than the best set found, the branch is
/// cut. Equal values are decided by the order of the offers, so the answer never depends on how the search went.
package struct SetSearch: Sendable {
    package let ranked: [Ranked<Offer>]
    private let objective: SetObjective
    private let traits: [SetObjective.Trait]
    /// Those of the traits.
    private let scores: [Double]
    private let poolHasTwoTypes: Bool

    /// The ranked offers must be in the graph's order; where they are a part of a pool, the pool's types may be told.
    package init(_ ranked: [Ranked<Offer>], objective: SetObjective, brief: Brief, hasTwoTypes: Bool? = nil) {
        self.ranked = ranked
        self.objective = objective
        traits = ranked.map { SetObjective.trait(of: $0, in: brief) }
        scores = traits.map(\.score)
        poolHasTwoTypes = hasTwoTypes ?? ranked.contains { $0.item.candidate.type != ranked[0].item.candidate.type }
    }

    package func value(of set: [Int]) -> Double {
        objective.value(of: set.sorted(), scores) { objective.distance(traits[$0], traits[$1]) }
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
        guard fixed.indices.allSatisfy({ one in fixed[(one + 1)...].allSatisfy { pairs.allows(fixed[one], $0) } })
        else { return nil }
        var best: (set: [Int], value: Double)?
        var partial = fixed
        partial.reserveCapacity(size)
        extend(&partial, size: size, from: 0, in: open.sorted(), pairs, &best)
        return best?.set
    }

    /// Leaves the partial set as it was.
    private func extend(
        _ partial: inout [Int],
        size: Int,
        from start: Int,
        in open: [Int],
        _ pairs: Pairs,
        _ best: inout (set: [Int], value: Double)?
    ) {
        guard partial.count < size else {
            guard hasEnoughTypes(partial) else { return }
            let isSorted = partial.indices.dropFirst().allSatisfy { partial[$0 - 1] < partial[$0] }
            let set = isSorted ? partial : partial.sorted()
            let value = objective.value(of: set, scores, pairs.distance)
            let isBetter = best.map { value > $0.value || value == $0.value && set.lexicographicallyPrecedes($0.set) }
            if isBetter ?? true { best = (set, value) }
            return
        }
        let needed = size - partial.count
        let known = partial.reduce(0) { $0 + scores[$1] }
        let openPairs = size * (size - 1) / 2 - partial.count * (partial.count - 1) / 2
        let spread = objective.spread(of: partial, pairs.distance) + Double(openPairs)
        for place in start..<max(start, open.count - needed + 1) {
            // The most this can still become: the next scores, which are the highest left, and every open pair at 1; a hair
            // above, so that rounding never cuts a set that is exactly as good.
            let all = open[place..<place + needed].reduce(0) { $0 + scores[$1] } + known
            let bound = (1 - objective.strength) * all / 3 + objective.strength * spread / 3 + 1e-12
            if let found = best, bound < found.value { return }
            let next = open[place]
            guard partial.allSatisfy({ pairs.allows($0, next) }) else { continue }
            partial.append(next)
            extend(&partial, size: size, from: place + 1, in: open, pairs, &best)
            partial.removeLast()
        }
    }

    private func hasEnoughTypes(_ set: [Int]) -> Bool {
        guard objective.rules.twoTypes, set.count > 1, poolHasTwoTypes else { return true }
        return set.contains { traits[$0].type != traits[set[0]].type }
    }
}

extension SetSearch {
    /// What is known of pairs of offers during one search, worked out when a pair is first looked at: most never are.
    final class Pairs {
        private let traits: [SetObjective.Trait]
        private let heads: StemTable
        private let titles: StemTable
        private let objective: SetObjective
        /// No number where nobody has asked yet.
        private var distances: [Double]
        private var allowances: [Bool?]

        init(_ ranked: [Ranked<Offer>], _ traits: [SetObjective.Trait], _ objective: SetObjective) {
            self.traits = traits
            heads = StemTable(traits.lazy.map(\.stems))
            titles = StemTable(ranked.lazy.map(\.item.words.titleSet))
            self.objective = objective
            distances = [Double](repeating: .nan, count: ranked.count * ranked.count)
            allowances = [Bool?](repeating: nil, count: ranked.count * ranked.count)
        }

        /// The same in both directions.
        func distance(_ first: Int, _ second: Int) -> Double {
            let (left, right) = (min(first, second), max(first, second))
            let place = left * traits.count + right
            if distances[place].isNaN {
                let overlap = heads.overlap(left, right)
                distances[place] = objective.distance(traits[left], traits[right], overlap: overlap)
            }
            return distances[place]
        }

        /// Whether the two may stand side by side; the same in both directions.
        func allows(_ first: Int, _ second: Int) -> Bool {
            let (left, right) = (min(first, second), max(first, second))
            let place = left * traits.count + right
            if let known = allowances[place] { return known }
            // As `SetRules.allows` has it.
            let (rules, merchant) = (objective.rules, traits[left].merchant)
            var fits = !rules.distinctMerchants || merchant == nil || merchant != traits[right].merchant
            if fits, rules.noNearDuplicates, traits[left].type == traits[right].type {
                fits = !titles.overlaps(left, right, Sameness.nearTitle)
            }
            allowances[place] = fits
            return fits
        }
    }
}
