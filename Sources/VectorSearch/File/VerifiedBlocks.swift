import Synchronization

/// Which blocks of a file have been found to be as they were written.
///
/// Safe to share: the address never changes, all access is atomic, and the memory is freed when nobody can see it any more.
@safe final class VerifiedBlocks: @unchecked Sendable {
    /// One bit for each block.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordCount: Int
    /// How many blocks are not verified yet.
    private let left: Atomic<Int>

    init(count: Int) {
        wordCount = (count + 63) / 64
        left = Atomic(count)
        unsafe words = .allocate(capacity: wordCount)
        for word in 0..<wordCount { unsafe (words + word).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe words.deinitialize(count: wordCount)
        unsafe words.deallocate()
    }

    func missing(in blocks: Range<Int>) -> [Int] {
        guard left.load(ordering: .acquiring) > 0 else { return [] }
        precondition(blocks.upperBound <= wordCount * 64, "no such block")
        // A block below the bound has its bit in one of the words.
        return blocks.filter { unsafe words[$0 >> 6].load(ordering: .acquiring) >> UInt64($0 & 63) & 1 == 0 }
    }

    /// Two threads may verify one block at the same time; it counts once.
    func add(_ block: Int) {
        precondition(block >= 0 && block < wordCount * 64, "no such block")
        let bit: UInt64 = 1 << UInt64(block & 63)
        // The precondition puts the block into one of the words.
        let earlier = unsafe words[block >> 6].bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue
        if earlier & bit == 0 { left.subtract(1, ordering: .acquiringAndReleasing) }
    }
}
