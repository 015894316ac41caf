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
