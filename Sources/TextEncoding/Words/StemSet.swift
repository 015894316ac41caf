/// The different stems of a text as sorted fingerprints, so that texts are compared by walking two lists of numbers.
package struct StemSet: Hashable, Sendable {
    fileprivate let fingerprints: [UInt64]

    package init(_ stems: some Sequence<String>) {
        self.init(fingerprints: stems.map(Fingerprint.of))
    }

    /// The content stems of several texts, function words left out.
    package init(contentOf texts: TokenizedText...) {
        self.init(fingerprints: texts.flatMap(\.contentFingerprints))
    }

    /// The stems with these fingerprints, in any order.
    package init(fingerprints: [UInt64]) {
        var sorted = fingerprints
        sorted.sort()
        var count = 0
        for place in sorted.indices where count == 0 || sorted[place] != sorted[count - 1] {
            sorted[count] = sorted[place]
            count += 1
        }
        sorted.removeLast(sorted.count - count)
        self.fingerprints = sorted
    }

    private init(sorted: [UInt64]) {
        fingerprints = sorted
    }

    /// The stems that one or the other has.
    package func union(_ other: StemSet) -> StemSet {
        if isEmpty { return other }
        if other.isEmpty { return self }
        var all: [UInt64] = []
        all.reserveCapacity(fingerprints.count + other.fingerprints.count)
        var left = 0
        var right = 0
        while left < fingerprints.count, right < other.fingerprints.count {
            let (first, second) = (fingerprints[left], other.fingerprints[right])
            all.append(min(first, second))
            if first <= second { left += 1 }
            if second <= first { right += 1 }
        }
        all.append(contentsOf: fingerprints[left...])
        all.append(contentsOf: other.fingerprints[right...])
        return StemSet(sorted: all)
    }

    package var count: Int { fingerprints.count }
    package var isEmpty: Bool { fingerprints.isEmpty }

    /// Whether a stem with this fingerprint is there.
    package func contains(_ wanted: UInt64) -> Bool {
        var low = 0
        var high = fingerprints.count
        while low < high {
            let middle = (low + high) / 2
            if fingerprints[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < fingerprints.count && fingerprints[low] == wanted
    }

    /// The stems that both have.
    package func shared(with other: StemSet) -> StemSet { StemSet(sorted: fingerprints.filter(other.contains)) }

    /// These stems less those.
    package func without(_ other: StemSet) -> StemSet { StemSet(sorted: fingerprints.filter { !other.contains($0) }) }

    /// The stems of which something holds.
    package func filter(_ holds: (UInt64) -> Bool) -> StemSet { StemSet(sorted: fingerprints.filter(holds)) }

    package func allSatisfy(_ holds: (UInt64) -> Bool) -> Bool { fingerprints.allSatisfy(holds) }

    /// What each stem is worth, added up in their one order.
    package func sum(_ worth: (UInt64) -> Double) -> Double { fingerprints.reduce(0) { $0 + worth($1) } }

    /// How many stems both have.
    package func sharedCount(with other: StemSet) -> Int {
        // A few are looked for among many.
        if count * 8 < other.count { return fingerprints.count(where: other.contains) }
        if other.count * 8 < count { return other.fingerprints.count(where: contains) }
        var left = 0
        var right = 0
        var shared = 0
        while left < fingerprints.count, right < other.fingerprints.count {
            let (first, second) = (fingerprints[left], other.fingerprints[right])
            if first == second { shared += 1 }
            if first <= second { left += 1 }
            if second <= first { right += 1 }
        }
        return shared
    }

    /// Shared stems over all stems: Jaccard.
    package func overlap(with other: StemSet) -> Double {
        StemTable.overlap(count, other.count, shared: sharedCount(with: other))
    }

    /// Whether the overlap is so large or larger.
    package func overlaps(_ other: StemSet, _ least: Double) -> Bool {
        StemTable.mayOverlap(count, other.count, least) && overlap(with: other) >= least
    }
}

/// The stems of many texts in one list, so that each can be compared with each without touching a reference.
package struct StemTable: Sendable {
    private var fingerprints: [UInt64] = []
    private var starts = [0]

    /// The texts, numbered in their order.
    package init(_ texts: some Sequence<StemSet>) {
        for text in texts {
            fingerprints.append(contentsOf: text.fingerprints)
            starts.append(fingerprints.count)
        }
    }

    /// Shared stems of two texts over all of theirs: Jaccard.
    package func overlap(_ first: Int, _ second: Int) -> Double {
        Self.overlap(count(first), count(second), shared: sharedCount(first, second))
    }

    /// Whether the overlap is so large or larger.
    package func overlaps(_ first: Int, _ second: Int, _ least: Double) -> Bool {
        Self.mayOverlap(count(first), count(second), least) && overlap(first, second) >= least
    }

    fileprivate static func overlap(_ left: Int, _ right: Int, shared: Int) -> Double {
        shared == 0 ? 0 : Double(shared) / Double(left + right - shared)
    }

    /// Texts of very different lengths cannot share so much, and need not be walked.
    fileprivate static func mayOverlap(_ left: Int, _ right: Int, _ least: Double) -> Bool {
        Double(min(left, right)) / Double(max(left, right, 1)) >= least
    }

    /// How many stems a text has.
    package func count(_ text: Int) -> Int { starts[text + 1] - starts[text] }

    /// How many stems two texts both have.
    package func sharedCount(_ first: Int, _ second: Int) -> Int {
        var (left, right) = (starts[first], starts[second])
        let (leftEnd, rightEnd) = (starts[first + 1], starts[second + 1])
        var shared = 0
        while left < leftEnd, right < rightEnd {
            let (one, other) = (fingerprints[left], fingerprints[right])
            if one == other { shared += 1 }
            if one <= other { left += 1 }
            if other <= one { right += 1 }
        }
        return shared
    }
}

/// Numbers by fingerprint: open addressing, half empty, so that a look-up is a multiplication and a glance or two.
package struct FingerprintTable: Sendable {
    private struct Slot: Sendable {
        var fingerprint: UInt64 = 0
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

    /// The same, the words given by their fingerprints.
    package init(of fingerprints: [UInt64]) {
        self.init(capacity: fingerprints.count)
        for fingerprint in fingerprints { _ = number(of: fingerprint) }
    }

    package subscript(fingerprint: UInt64) -> Int? {
        var place = Self.place(of: fingerprint, mask)
        while true {
            let slot = slots[place]
            if slot.number < 0 { return nil }
            if slot.fingerprint == fingerprint { return Int(slot.number) }
            place = (place + 1) & mask
        }
    }

    /// The number a fingerprint has, or the next free one, which it then keeps.
    package mutating func number(of fingerprint: UInt64) -> Int {
        if let known = self[fingerprint] { return known }
        if (count + 1) * 2 > slots.count { resize(to: slots.count * 2) }
        insert(Slot(fingerprint: fingerprint, number: Int32(count)))
        count += 1
        return count - 1
    }

    private mutating func insert(_ slot: Slot) {
        var place = Self.place(of: slot.fingerprint, mask)
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
    private static func place(of fingerprint: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: fingerprint >> 32 ^ fingerprint) & mask
    }
}

/// A word as one 64-bit number (FNV-1a), so that words are compared and looked up without touching their letters.
///
/// Two different words share a fingerprint once in 2⁶⁴ pairs, which no collection of texts here comes near.
package enum Fingerprint {
    package static func of(_ word: String) -> UInt64 {
        var fingerprint = empty
        for byte in word.utf8 { fingerprint = adding(byte, to: fingerprint) }
        return fingerprint
    }

    /// The same of a word's UTF-8.
    package static func of(_ word: ArraySlice<UInt8>) -> UInt64 {
        var fingerprint = empty
        for byte in word { fingerprint = adding(byte, to: fingerprint) }
        return fingerprint
    }

    /// The fingerprint of no letters.
    package static var empty: UInt64 { 0xcbf2_9ce4_8422_2325 }

    /// The fingerprint of a word that is one byte of UTF-8 longer.
    package static func adding(_ byte: UInt8, to fingerprint: UInt64) -> UInt64 {
        (fingerprint ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
