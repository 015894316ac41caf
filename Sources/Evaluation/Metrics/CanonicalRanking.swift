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

    private init(trusted ids: [String]) {
        self.ids = ids
    }

    /// The same order with only the items that pass.
    func filtered(_ isKept: (String) -> Bool) -> CanonicalRanking {
        CanonicalRanking(trusted: ids.filter(isKept))
    }
}
