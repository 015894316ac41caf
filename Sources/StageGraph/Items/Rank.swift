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
