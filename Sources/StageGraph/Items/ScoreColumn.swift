/// One scorer's opinions of a pool; an item without an entry is missing, which is not zero.
package struct ScoreColumn: Sendable {
    /// The node that scored.
    package let node: NodeID
    package let contributions: [ItemID: Contribution]

    package init(node: NodeID, contributions: [ItemID: Contribution]) {
        self.node = node
        self.contributions = contributions
    }

    package subscript(item: ItemID) -> Contribution? { contributions[item] }
}
