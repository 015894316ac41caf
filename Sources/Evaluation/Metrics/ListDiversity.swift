#if canImport(Glibc)
import Glibc
#endif

/// How different the items of one list are.
package enum ListDiversity {
    /// The mean of 1 - similarity over unordered pairs; nil where there is no pair.
    package static func meanDistance(count: Int, similarity: (Int, Int) -> Double) -> Double? {
        guard count > 1 else { return nil }
        var sum = 0.0
        for first in 0..<count {
            for second in (first + 1)..<count { sum += 1 - similarity(first, second) }
        }
        return sum / Double(count * (count - 1) / 2)
    }
}

/// How little known the items of a list are.
package enum Novelty {
    /// The mean of -log2((popularity + 1) / (users + 1)) in bits; smoothed, so that what nobody knows has a value.
    package static func selfInformation(popularity: [Int], users: Int) -> Double? {
        guard !popularity.isEmpty else { return nil }
        let sum = popularity.reduce(0.0) { $0 - log2((Double($1) + 1) / (Double(users) + 1)) }
        return sum / Double(popularity.count)
    }
}

/// How the items of a catalogue share what was shown.
package struct CatalogueExposure: Sendable {
    private let lists: [[String]]
    /// How often each item was shown, whether it should have been or not.
    private let counts: [String: Int]
    /// The same of the items that could have been shown.
    private let eligibleCounts: [String: Int]
    /// How many items could have been shown.
    package let catalogueSize: Int

    /// The catalogue is what was eligible: with everything that exists in it, the numbers mean nothing.
    ///
    /// What was shown without being eligible counts in what is about the shown items, and in nothing about the catalogue.
    package init(_ lists: [[String]], eligible: Set<String>) {
        self.lists = lists
        catalogueSize = eligible.count
        counts = Self.counts(in: lists)
        eligibleCounts = counts.filter { eligible.contains($0.key) }
    }

    private static func counts(in lists: [[String]]) -> [String: Int] {
        lists.reduce(into: [:]) { counts, list in for id in list { counts[id, default: 0] += 1 } }
    }

    /// Distinct items of the catalogue that were shown, over all of it.
    package var coverage: Double? {
        catalogueSize > 0 ? Double(eligibleCounts.count) / Double(catalogueSize) : nil
    }

    /// 0 where every item is shown as often as any other, towards 1 where few have it all; never-shown items are zeros.
    package var gini: Double? {
        let shown = eligibleCounts.values.reduce(0, +)
        guard shown > 0, catalogueSize >= eligibleCounts.count else { return nil }
        let silent = catalogueSize - eligibleCounts.count
        let weighted = eligibleCounts.values.sorted().enumerated().reduce(0.0) { sum, place in
            sum + Double(2 * (silent + place.offset + 1) - catalogueSize - 1) * Double(place.element)
        }
        return weighted / (Double(catalogueSize) * Double(shown))
    }

    /// The entropy of the shares of all shown items in bits, without smoothing.
    package var entropy: Double? {
        let total = Double(counts.values.reduce(0, +))
        guard total > 0 else { return nil }
        return counts.values.sorted().reduce(0) { sum, count in
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }

    /// 1 - the mean overlap of two lists, over all pairs of lists; an alarm for "everybody gets the same three".
    package var personalisation: Double? {
        let sets = lists.map(Set.init)
        var sum = 0.0
        var pairs = 0
        for first in sets.indices {
            for second in sets.indices.dropFirst(first + 1) {
                let longer = max(sets[first].count, sets[second].count)
                guard longer > 0 else { continue }
                sum += Double(sets[first].intersection(sets[second]).count) / Double(longer)
                pairs += 1
            }
        }
        return pairs == 0 ? nil : 1 - sum / Double(pairs)
    }
}

/// The mean of the values that are defined, with how many were and how many were not.
package struct DefinedMean: Sendable, Hashable {
    /// Nil where nothing is defined.
    package let mean: Double?
    package let count: Int
    package let undefinedCount: Int

    package init(_ values: [Double?]) {
        let defined = values.compactMap(\.self)
        mean = defined.isEmpty ? nil : defined.reduce(0, +) / Double(defined.count)
        count = defined.count
        undefinedCount = values.count - defined.count
    }
}

/// Items in the one order that every metric looks at: score descending, then the id; each id once.
///
/// Ties are resolved here and nowhere else, so that no metric can let them favour the system it measures.
package struct CanonicalRanking: Sendable, Hashable {
    /// Which of two items with equal scores comes first; ids compare by their bytes.
    package enum TieBreak: Sendable {
        /// The graph's own order.
        case ascendingID
        /// The order of trec_eval.
        case descendingID
    }

    /// Best first.
    package let ids: [String]

    /// Orders scored items; a score that is no number has no place in an order and is refused.
    package init(scored: [(id: String, score: Double)], ties: TieBreak = .ascendingID) throws(RankingError) {
        if let bad = scored.first(where: \.score.isNaN) { throw RankingError(code: .scoreIsNoNumber, id: bad.id) }
        let sorted = scored.sorted { left, right in
            if left.score != right.score { return left.score > right.score }
            let (first, second) = ties == .ascendingID ? (left.id, right.id) : (right.id, left.id)
            return first.utf8.lexicographicallyPrecedes(second.utf8)
        }
        try self.init(ordered: sorted.map(\.id))
    }

    /// Takes a list that has its order already, such as the three cards of a set.
    package init(ordered ids: [String]) throws(RankingError) {
        var seen: Set<String> = []
        for id in ids where !seen.insert(id).inserted { throw RankingError(code: .duplicateID, id: id) }
        self.ids = ids
    }
}
