/// The different stems of a text as sorted fingerprints, so that texts are compared by walking two lists of numbers.
package struct StemSet: Hashable, Sendable {
    private let prints: [UInt64]

    package init(_ stems: some Sequence<String>) {
        self.init(prints: stems.map(Fingerprint.of))
    }

    /// The content stems of several texts, function words left out.
    package init(contentOf texts: TokenizedText...) {
        self.init(prints: texts.flatMap(\.contentPrints))
    }

    /// The stems with these fingerprints, in any order.
    package init(prints: [UInt64]) {
        var sorted = prints
        sorted.sort()
        var count = 0
        for place in sorted.indices where count == 0 || sorted[place] != sorted[count - 1] {
            sorted[count] = sorted[place]
            count += 1
        }
        sorted.removeLast(sorted.count - count)
        self.prints = sorted
    }

    private init(sorted: [UInt64]) {
        prints = sorted
    }

    /// The stems that one or the other has.
    package func union(_ other: StemSet) -> StemSet {
        if isEmpty { return other }
        if other.isEmpty { return self }
        var all: [UInt64] = []
        all.reserveCapacity(prints.count + other.prints.count)
        var left = 0
        var right = 0
        while left < prints.count, right < other.prints.count {
            let (first, second) = (prints[left], other.prints[right])
            all.append(min(first, second))
            if first <= second { left += 1 }
            if second <= first { right += 1 }
        }
        all.append(contentsOf: prints[left...])
        all.append(contentsOf: other.prints[right...])
        return StemSet(sorted: all)
    }

    package var count: Int { prints.count }
    package var isEmpty: Bool { prints.isEmpty }

    package func contains(_ stem: String) -> Bool { contains(Fingerprint.of(stem)) }

    /// Whether a stem with this fingerprint is there.
    package func contains(_ wanted: UInt64) -> Bool {
        var low = 0
        var high = prints.count
        while low < high {
            let middle = (low + high) / 2
            if prints[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < prints.count && prints[low] == wanted
    }

    /// The stems that both have.
    package func shared(with other: StemSet) -> StemSet { StemSet(sorted: prints.filter(other.contains)) }

    /// These stems less those.
    package func without(_ other: StemSet) -> StemSet { StemSet(sorted: prints.filter { !other.contains($0) }) }

    /// What each stem is worth, added up in their one order.
    package func sum(_ worth: (UInt64) -> Double) -> Double { prints.reduce(0) { $0 + worth($1) } }

    /// How many stems both have.
    package func sharedCount(with other: StemSet) -> Int {
        var left = 0
        var right = 0
        var shared = 0
        while left < prints.count, right < other.prints.count {
            let (first, second) = (prints[left], other.prints[right])
            if first == second { shared += 1 }
            if first <= second { left += 1 }
            if second <= first { right += 1 }
        }
        return shared
    }
}
