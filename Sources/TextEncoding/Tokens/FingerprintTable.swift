/// Numbers by fingerprint: open addressing, half empty, so that a look-up is a multiplication and a glance or two.
struct FingerprintTable: Sendable {
    private var prints: [UInt64] = []
    /// -1 where a slot is free.
    private var numbers: [Int32] = []
    private var mask = 0
    private(set) var count = 0

    init(capacity: Int = 16) {
        resize(to: capacity * 2)
    }

    /// The words, numbered in their order.
    init(of words: some Collection<String>) {
        self.init(capacity: words.count)
        for word in words { _ = number(of: Fingerprint.of(word)) }
    }

    subscript(print: UInt64) -> Int? {
        var slot = Self.slot(of: print, mask)
        while numbers[slot] >= 0 {
            if prints[slot] == print { return Int(numbers[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// The number a fingerprint has, or the next free one, which it then keeps.
    mutating func number(of print: UInt64) -> Int {
        if let known = self[print] { return known }
        if (count + 1) * 2 > numbers.count { resize(to: numbers.count * 2) }
        insert(print, Int32(count))
        count += 1
        return count - 1
    }

    private mutating func insert(_ print: UInt64, _ number: Int32) {
        var slot = Self.slot(of: print, mask)
        while numbers[slot] >= 0 { slot = (slot + 1) & mask }
        prints[slot] = print
        numbers[slot] = number
    }

    private mutating func resize(to least: Int) {
        var size = 16
        while size < least { size *= 2 }
        let old = zip(prints, numbers).filter { $0.1 >= 0 }
        prints = [UInt64](repeating: 0, count: size)
        numbers = [Int32](repeating: -1, count: size)
        mask = size - 1
        for (print, number) in old { insert(print, number) }
    }

    /// The high bits of FNV are mixed best.
    private static func slot(of print: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: print >> 32 ^ print) & mask
    }
}
