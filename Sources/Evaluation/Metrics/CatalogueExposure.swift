#if canImport(Glibc)
import Glibc
#endif

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
    package init(_ lists: [[String]], catalogueSize: Int) {
        self.init(lists, counts: Self.counts(in: lists), catalogueSize: catalogueSize) { _ in true }
    }

    /// What was shown without being eligible counts in what is about the shown items, and in nothing about the catalogue.
    package init(_ lists: [[String]], eligible: Set<String>) {
        self.init(lists, counts: Self.counts(in: lists), catalogueSize: eligible.count, isEligible: eligible.contains)
    }

    private init(
        _ lists: [[String]],
        counts: [String: Int],
        catalogueSize: Int,
        isEligible: (String) -> Bool
    ) {
        self.lists = lists
        self.catalogueSize = catalogueSize
        self.counts = counts
        eligibleCounts = counts.filter { isEligible($0.key) }
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
