/// What happened to items at one node, written by the runner's accounting and by nobody else.
package enum ItemEvent: Sendable {
    /// These came in from outside, each for the first time at this node.
    case retrieved([ItemID])
    /// A second item with an id that had already come; the first one stays.
    case duplicated(ItemID)
    case merged(Merge)
    case cut(Removal)
    case dropped(Removal)
    case flagged(ItemID, [String])
    /// One scorer's whole column; expanded item by item only when somebody reads it.
    case scored(ScoreColumn)
    /// A value or total that was not finite.
    case nonFinite(ItemID)
    case totalled([Totalled])
    case selected(ItemID, position: Int)
    case reserved(ItemID, position: Int)
    case notSelected(ItemID)
    case relaxed(Relaxation)
    case chosen(ItemID, position: Int, verdict: String, refilledFrom: Int?)
    case lost(Removal)
    case unused(ItemID)

    /// One item's place in a ranking with the sum that put it there.
    package struct Totalled: Sendable {
        package let item: ItemID
        package let total: Total
    }
}
