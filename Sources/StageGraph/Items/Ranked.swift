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
