import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

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

    /// The ranked offers must be in the graph's order.
    package init(_ ranked: [Ranked<Offer>], objective: SetObjective, brief: Brief) {
        self.ranked = ranked
        self.objective = objective
        traits = ranked.map { SetObjective.trait(of: $0, in: brief) }
        scores = traits.map(\.score)
    }

    package func value(of set: [Int]) -> Double {
        objective.value(of: set.sorted(), scores) { objective.distance(traits[$0], traits[$1]) } + worth(ofTypesIn: set)
    }

    private func worth(ofTypesIn set: [Int]) -> Double {
        set.contains { traits[$0].type != traits[set[0]].type } ? objective.secondType : 0
    }

    /// Whether a set keeps every hard rule.
    package func isAllowed(_ set: [Int]) -> Bool {
        set.indices.allSatisfy { place in
            set[(place + 1)...].allSatisfy { objective.rules.allows(ranked[set[place]], ranked[$0]) }
        }
    }

    /// What is known of pairs, for whoever asks more than once.
    func pairs() -> Pairs { Pairs(ranked, traits, objective) }

    /// Whether some set of `size` places holds all these and keeps every hard rule.
    func canComplete(_ partial: [Int], to size: Int, _ pairs: inout Pairs) -> Bool {
        guard let last = partial.last else { return canGrow(partial, to: size, from: 0, &pairs) }
        guard pairs.distance(from: partial.dropLast(), to: last) >= 0 else { return false }
        return canGrow(partial, to: size, from: 0, &pairs)
    }

    private func canGrow(_ partial: [Int], to size: Int, from start: Int, _ pairs: inout Pairs) -> Bool {
        if partial.count >= size { return true }
        for place in start..<max(start, ranked.count) where !partial.contains(place) {
            guard pairs.distance(from: partial, to: place) >= 0 else { continue }
            if canGrow(partial + [place], to: size, from: place + 1, &pairs) { return true }
        }
        return false
    }

    /// The best set of `size` places that holds all the `fixed` ones, the rest taken from `open`; nil when there is none.
    package func best(size: Int, fixed: [Int] = [], open: [Int]) -> [Int]? {
        guard fixed.count <= size, fixed.count + open.count >= size else { return nil }
        var walk = Walk(search: self, scores: scores, size: size, open: open.sorted(), pairs: pairs(), partial: fixed)
        for one in fixed.indices where walk.pairs.distance(from: fixed[..<one], to: fixed[one]) < 0 { return nil }
        walk.extend(from: 0)
        return walk.best
    }

    /// The way of one search through the sets: all that it reads and writes lies in it, so that its loops count nothing.
    private struct Walk {
        let search: SetSearch
        let scores: [Double]
        let size: Int
        let open: [Int]
        var pairs: Pairs
        var partial: [Int]
        var best: [Int]?
        var value = -Double.infinity

        /// Leaves the partial set as it was.
        mutating func extend(from start: Int) {
            let needed = size - partial.count
            guard needed > 0 else { return weigh() }
            var known = 0.0
            var spread = 0.0
            for (place, one) in partial.enumerated() {
                known += scores[one]
                for other in partial[..<place] { spread += pairs.distance(other, one) }
            }
            let openPairs = (size * (size - 1) - partial.count * (partial.count - 1)) / 2
            for place in start..<max(start, open.count - needed + 1) {
                // The most this can still become: the next scores, which are the highest left, and every open pair at 1.
                var sum = known
                for next in place..<place + needed { sum += scores[open[next]] }
                if bound(sum, spread + Double(openPairs)) < value { return }
                let next = open[place]
                var near = 0.0
                for one in partial { near += pairs.distance(one, next) }
                if near < 0 || bound(sum, spread + near + Double(openPairs - partial.count)) < value { continue }
                partial.append(next)
                extend(from: place + 1)
                partial.removeLast()
            }
        }

        /// A hair above what it bounds, so that rounding never cuts a set that is exactly as good.
        private func bound(_ scores: Double, _ spread: Double) -> Double {
            let strength = search.objective.strength
            let most = (1 - strength) * scores / 3 + strength * spread / 3 + search.objective.secondType
            return most + 1e-12 * max(1, abs(scores))
        }

        /// Keeps a whole set where it is better than the best, or as good and earlier.
        private mutating func weigh() {
            let set = partial.sorted()
            let apart = search.objective.value(of: set, scores) { pairs.distance($0, $1) }
            let found = apart + search.worth(ofTypesIn: set)
            guard found > value || found == value && best.map(set.lexicographicallyPrecedes) ?? true else { return }
            (best, value) = (set, found)
        }
    }
}

extension SetSearch {
    /// What is known of pairs of offers during one search, worked out when a pair is first looked at: most never are.
    struct Pairs {
        private let ranked: [Ranked<Offer>]
        private let traits: [SetObjective.Trait]
        private let heads: StemTable
        private let titles: StemTable
        private let objective: SetObjective
        /// By both places; no number where nobody has asked yet.
        private var distances: [Double]

        init(_ ranked: [Ranked<Offer>], _ traits: [SetObjective.Trait], _ objective: SetObjective) {
            self.ranked = ranked
            self.traits = traits
            heads = StemTable(traits.lazy.map(\.stems))
            titles = StemTable(ranked.lazy.map(\.item.words.titleSet))
            self.objective = objective
            distances = [Double](repeating: .nan, count: ranked.count * ranked.count)
        }

        /// The same in both directions; below 0, without end, where the two may not stand side by side.
        @inline(__always)
        mutating func distance(_ first: Int, _ second: Int) -> Double {
            let known = distances[first * traits.count + second]
            return known.isNaN ? measure(min(first, second), max(first, second)) : known
        }

        /// To all of some places together; below 0 where one of them does not allow it.
        mutating func distance(from places: some Sequence<Int>, to place: Int) -> Double {
            places.reduce(0) { $0 + distance($1, place) }
        }

        private mutating func measure(_ left: Int, _ right: Int) -> Double {
            // As `SetRules.allows` has it.
            let (rules, merchant) = (objective.rules, traits[left].merchant)
            var fits = !rules.distinctMerchants || merchant == nil || merchant != traits[right].merchant
            if fits, rules.noNearDuplicates, traits[left].type.mayBeSame(as: traits[right].type) {
                let isOnePage = traits[left].page != nil && traits[left].page == traits[right].page
                fits = !isOnePage && !titles.overlaps(left, right, Sameness.nearTitle)
            }
            if fits, rules.distinctKinds, let thing = traits[left].thing, thing == traits[right].thing {
                fits = !Sameness.isSameKind(ranked[left].item, ranked[right].item)
            }
            let overlap = fits ? heads.overlap(left, right) : 0
            let distance = fits ? objective.distance(traits[left], traits[right], overlap: overlap) : -.infinity
            distances[left * traits.count + right] = distance
            distances[right * traits.count + left] = distance
            return distance
        }
    }
}
