/// Which of the items that came in have been accounted for: each must be, once, and no other.
struct ItemAccount {
    private var table: ItemTable
    private var isOpen: [Bool]

    init(_ incoming: [ItemID]) {
        table = ItemTable(capacity: incoming.count)
        for item in incoming { _ = table.insert(item) }
        isOpen = [Bool](repeating: true, count: table.count)
    }

    func contains(_ item: ItemID) -> Bool { table[item] != nil }

    /// Throws class stage when an item is accounted for twice or never came in.
    mutating func close(_ item: ItemID, at node: NodeID) throws(StageFailure) {
        guard let number = table[item] else { throw .brokenLaw(node, "item \(item) was invented") }
        guard isOpen[number] else { throw .brokenLaw(node, "item \(item) ends twice") }
        isOpen[number] = false
    }

    /// The first item that came in and was forgotten.
    var firstOpen: ItemID? { isOpen.firstIndex(of: true).map { table.items[$0] } }
}
