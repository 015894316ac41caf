/// Numbers items in the order in which they are first met: what many tables over one pool look items up in.
package struct ItemTable: Sendable {
    /// The items by their numbers.
    package private(set) var items: [ItemID] = []
    /// Open addressing, at most half full; -1 where a slot is free.
    private var slots: [Int32]
    private var mask: Int

    /// Differs from process to process, so that no provider can choose ids that all fall into one slot.
    private static let secret = UInt64.random(in: .min ... .max)
    private let secret = Self.secret

    package init(capacity: Int = 8) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = [Int32](repeating: -1, count: size)
        mask = size - 1
        items.reserveCapacity(capacity)
    }

    package var count: Int { items.count }

    /// The number of an item, if it has one.
    package subscript(item: ItemID) -> Int? {
        var slot = slot(of: item)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if items[number] == item { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Numbers an item and says whether it is new.
    package mutating func insert(_ item: ItemID) -> (number: Int, isNew: Bool) {
        if (items.count + 1) * 2 > slots.count { grow() }
        var slot = slot(of: item)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if items[number] == item { return (number, false) }
            slot = (slot + 1) & mask
        }
        slots[slot] = Int32(items.count)
        items.append(item)
        return (items.count - 1, true)
    }

    private func slot(of item: ItemID) -> Int {
        var mixed = (item.fingerprint ^ secret) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 32
        return Int(truncatingIfNeeded: mixed) & mask
    }

    private mutating func grow() {
        let size = slots.count * 2
        slots = [Int32](repeating: -1, count: size)
        mask = size - 1
        for number in items.indices {
            var slot = slot(of: items[number])
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(number)
        }
    }
}

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

extension Union {
    /// Throws class stage unless every id is kept, merged or cut exactly once and nothing is invented.
    func verify(accountsFor incoming: [ItemID], at node: NodeID) throws(StageFailure) {
        var account = ItemAccount(incoming)
        for item in items { try account.close(item.itemID, at: node) }
        for merge in merged { try account.close(merge.absorbed, at: node) }
        for removal in cut { try account.close(removal.item, at: node) }
        if let forgotten = account.firstOpen {
            throw .brokenLaw(node, "item \(forgotten) is neither kept, merged nor cut")
        }
        for merge in merged where merge.survivor == merge.absorbed || !account.contains(merge.survivor) {
            throw .brokenLaw(
                node,
                "item \(merge.absorbed) was merged into \(merge.survivor), which is not another item here"
            )
        }
    }

    /// What leaves here, for the trace.
    var events: [ItemEvent] {
        merged.map(ItemEvent.merged) + cut.map(ItemEvent.cut)
    }
}
