/// The different stems of a text as sorted fingerprints, so that texts are compared by walking two lists of numbers.
package struct StemSet: Hashable, Sendable {
    private let prints: [UInt64]

    package init(_ stems: some Sequence<String>) {
        self.init(prints: stems.map(Fingerprint.of))
    }

    /// The content stems of several texts, function words left out.
    package init(contentOf texts: TokenizedText...) {
        self.init(prints: texts.flatMap { $0.tokens.lazy.filter { !$0.isStopWord }.map(\.fingerprint) })
    }

    private init(prints: [UInt64]) {
        var unique: [UInt64] = []
        unique.reserveCapacity(prints.count)
        for print in prints.sorted() where print != unique.last { unique.append(print) }
        self.prints = unique
    }

    package var count: Int { prints.count }
    package var isEmpty: Bool { prints.isEmpty }

    package func contains(_ stem: String) -> Bool {
        let wanted = Fingerprint.of(stem)
        var low = 0
        var high = prints.count
        while low < high {
            let middle = (low + high) / 2
            if prints[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < prints.count && prints[low] == wanted
    }

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
