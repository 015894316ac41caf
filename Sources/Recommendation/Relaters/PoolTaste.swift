package import StageGraph

/// The vocabulary signs of every offer of a pool, by words and, where it is known, by meaning.
package struct PoolTaste: Sendable {
    private let table: ItemTable
    /// By the items' numbers.
    private let signs: [TasteSigns]
    private let affinities: [TasteAffinity?]

    /// The signs stand in the order of the table's numbers, and so do the affinities where there are any.
    init(_ table: ItemTable, _ signs: [TasteSigns], _ affinities: [TasteAffinity?] = []) {
        precondition(table.count == signs.count, "every item of the pool needs its signs")
        precondition(affinities.isEmpty || affinities.count == signs.count, "every item has an affinity, or none has")
        self.table = table
        self.signs = signs
        self.affinities = affinities
    }

    package subscript(item: ItemID) -> TasteSigns { table[item].map { signs[$0] } ?? TasteSigns() }

    /// How near an item is to the vocabulary in meaning; nil when there are only words to go by.
    package func affinity(of item: ItemID) -> TasteAffinity? {
        affinities.isEmpty ? nil : table[item].flatMap { affinities[$0] }
    }
}
