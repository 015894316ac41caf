package import StageGraph

/// The vocabulary signs of every offer of a pool.
package struct PoolTaste: Sendable {
    private let signs: [ItemID: TasteSigns]

    init(_ signs: [ItemID: TasteSigns]) {
        self.signs = signs
    }

    package subscript(item: ItemID) -> TasteSigns { signs[item] ?? TasteSigns() }
}
