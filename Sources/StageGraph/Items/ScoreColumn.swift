/// One scorer's opinions of a pool; an item without an entry is missing, which is not zero.
package struct ScoreColumn: Sendable {
    /// The node that scored.
    package let node: NodeID
    private let table: ItemTable
    /// By the items' numbers.
    private let values: [Contribution]

    /// The values stand in the order of the table's numbers.
    init(node: NodeID, table: ItemTable, values: [Contribution]) {
        precondition(table.count == values.count, "a column needs one value for each of its items")
        self.node = node
        self.table = table
        self.values = values
    }

    /// The same opinions under the name of the node they stand for.
    func standing(for node: NodeID) -> ScoreColumn {
        node == self.node ? self : ScoreColumn(node: node, table: table, values: values)
    }

    /// The opinions by item.
    package var contributions: [ItemID: Contribution] {
        Dictionary(uniqueKeysWithValues: zip(table.items, values))
    }

    package subscript(item: ItemID) -> Contribution? { table[item].map { values[$0] } }
}
