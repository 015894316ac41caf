package import StageGraph

/// The vocabulary signs of every offer of a pool.
package struct PoolTaste: Sendable {
    private let table: ItemTable
    /// By the items' numbers.
    private let signs: [TasteSigns]

    /// The signs stand in the order of the table's numbers.
    init(_ table: ItemTable, _ signs: [TasteSigns]) {
        precondition(table.count == signs.count, "every item of the pool needs its signs")
        self.table = table
        self.signs = signs
    }

    package subscript(item: ItemID) -> TasteSigns { table[item].map { signs[$0] } ?? TasteSigns() }
}
