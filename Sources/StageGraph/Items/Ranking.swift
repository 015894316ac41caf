/// Scored items in the graph's one order.
package struct Ranking<Item: GraphItem>: Sendable {
    package let entries: [Ranked<Item>]

    package init(_ entries: [Ranked<Item>]) {
        // Places are sorted and not the entries, which are large.
        var ranks: [Rank] = []
        ranks.reserveCapacity(entries.count)
        // Counted by hand: in code generic over the item, an enumerated sequence costs more than the work.
        for entry in entries { ranks.append(Rank(place: ranks.count, score: entry.score, item: entry.item.itemID)) }
        ranks.sort(by: Rank.precedes)
        var sorted: [Ranked<Item>] = []
        sorted.reserveCapacity(entries.count)
        for rank in ranks { sorted.append(entries[rank.place]) }
        self.entries = sorted
    }
}

/// What decides where an item stands in a ranking.
struct Rank: Sendable {
    let place: Int
    let score: Double
    let item: ItemID

    /// The one order of the whole graph: score descending, what is not finite last, then the id.
    static func precedes(_ left: Self, _ right: Self) -> Bool {
        precedes(left.score, left.item, right.score, right.item)
    }

    static func precedes(
        _ left: Double,
        _ leftItem: @autoclosure () -> ItemID,
        _ right: Double,
        _ rightItem: @autoclosure () -> ItemID
    ) -> Bool {
        switch (left.isFinite, right.isFinite) {
        case (true, false): return true
        case (false, true): return false
        case (true, true) where left != right: return left > right
        default: return leftItem() < rightItem()
        }
    }
}

/// An item with its score, the parts that add up to it, and what they rest on.
package struct Ranked<Item: GraphItem>: Sendable {
    package let item: Item
    package let score: Double
    package let total: Total

    package init(item: Item, total: Total) {
        self.item = item
        self.total = total
        score = total.score
    }

    /// The one order of the whole graph: score descending, what is not finite last, then the id.
    package static func precedes(_ left: Self, _ right: Self) -> Bool {
        Rank.precedes(left.score, left.item.itemID, right.score, right.item.itemID)
    }
}

/// What a selector chose: the selected and the reserve in order, and everything else by name.
package struct Selection<Item: GraphItem>: Sendable {
    package let selected: [Ranked<Item>]
    package let reserve: [Ranked<Item>]
    package let rest: [ItemID]
    package let relaxations: [Relaxation]

    package init(selected: [Ranked<Item>], reserve: [Ranked<Item>], rest: [ItemID], relaxations: [Relaxation] = []) {
        self.selected = selected
        self.reserve = reserve
        self.rest = rest
        self.relaxations = relaxations
    }
}

/// A selection after its check: who stands, who was lost and why, who was never needed.
package struct CheckedSelection<Item: GraphItem>: Sendable {
    /// One item that stands, with what the check found; the item may have been amended.
    package struct Standing: Sendable {
        package let ranked: Ranked<Item>
        /// `available` or `unknown`.
        package let verdict: String
        /// Nil for one of the first selection, else the position in the reserve it came from.
        package let refilledFrom: Int?

        package init(ranked: Ranked<Item>, verdict: String, refilledFrom: Int?) {
            self.ranked = ranked
            self.verdict = verdict
            self.refilledFrom = refilledFrom
        }
    }

    package let standing: [Standing]
    package let lost: [Removal]
    package let unused: [ItemID]
    package let relaxations: [Relaxation]
    /// Some of the unused that stand too, in the reserve's order, for who wants to see more than was selected.
    package let further: [Standing]

    package init(
        standing: [Standing],
        lost: [Removal],
        unused: [ItemID],
        relaxations: [Relaxation] = [],
        further: [Standing] = []
    ) {
        self.further = further
        self.standing = standing
        self.lost = lost
        self.unused = unused
        self.relaxations = relaxations
    }
}
