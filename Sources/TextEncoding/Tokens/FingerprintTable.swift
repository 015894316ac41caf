/// Numbers by fingerprint: open addressing, half empty, so that a look-up is a multiplication and a glance or two.
package struct FingerprintTable: Sendable {
    private struct Slot: Sendable {
        var print: UInt64 = 0
        /// -1 where the slot is free.
        var number: Int32 = -1
    }

    private var slots: [Slot] = []
    private var mask = 0
    package private(set) var count = 0

    package init(capacity: Int = 16) {
        resize(to: capacity * 2)
    }

    /// The words, numbered in their order; a word that stands there twice keeps its first number.
    package init(of words: some Collection<String>) {
        self.init(capacity: words.count)
        for word in words { _ = number(of: Fingerprint.of(word)) }
    }

    package subscript(print: UInt64) -> Int? {
        var place = Self.place(of: print, mask)
        while true {
            let slot = slots[place]
            if slot.number < 0 { return nil }
            if slot.print == print { return Int(slot.number) }
            place = (place + 1) & mask
        }
    }

    /// The number a fingerprint has, or the next free one, which it then keeps.
    package mutating func number(of print: UInt64) -> Int {
        if let known = self[print] { return known }
        if (count + 1) * 2 > slots.count { resize(to: slots.count * 2) }
        insert(Slot(print: print, number: Int32(count)))
        count += 1
        return count - 1
    }

    private mutating func insert(_ slot: Slot) {
        var place = Self.place(of: slot.print, mask)
        while slots[place].number >= 0 { place = (place + 1) & mask }
        slots[place] = slot
    }

    private mutating func resize(to least: Int) {
        var size = 16
        while size < least { size *= 2 }
        let old = slots.filter { $0.number >= 0 }
        slots = [Slot](repeating: Slot(), count: size)
        mask = size - 1
        for slot in old { insert(slot) }
    }

    /// The high bits of FNV are mixed best.
    private static func place(of print: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: print >> 32 ^ print) & mask
    }
}
