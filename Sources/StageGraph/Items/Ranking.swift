/// Scored items in the graph's one order.
package struct Ranking<Item: GraphItem>: Sendable {
    package let entries: [Ranked<Item>]

    package init(_ entries: [Ranked<Item>]) {
        // Places are sorted and not the entries, which are large.
        let ranks = entries.enumerated().map { Rank(place: $0, score: $1.score, item: $1.item.itemID) }
        self.entries = ranks.sorted(by: Rank.precedes).map { entries[$0.place] }
    }
}
