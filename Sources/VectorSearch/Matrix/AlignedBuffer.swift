import Glibc

/// Memory for numbers that begins at a cache line, or at a large page when there is much of it.
///
/// Safe to share: the address and capacity never change, and the memory is freed when nobody can see it any more. Its
/// owners write only while they hold the one reference to it; what they have handed to others is only read.
@safe final class AlignedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
    let capacity: Int
    /// Room for `capacity` elements, of which its owner knows how many mean something.
    let start: UnsafeMutablePointer<Element>

    private static var cacheLine: Int { 64 }
    private static var largePage: Int { 2 << 20 }

    init(capacity: Int) throws(VectorSearchError) {
        let (bytes, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard capacity >= 0, !overflow, bytes <= Int.max - Self.largePage else { throw .outOfMemory(bytes: .max) }
        let isLarge = bytes >= 2 * Self.largePage
        let alignment = isLarge ? Self.largePage : Self.cacheLine
        var memory: UnsafeMutableRawPointer?
        guard unsafe posix_memalign(&memory, alignment, max(bytes, alignment)) == 0, let memory = unsafe memory else {
            throw .outOfMemory(bytes: bytes)
        }
        // Large pages are a wish: without them everything works, and slower.
        if isLarge { _ = unsafe madvise(memory, bytes, MADV_HUGEPAGE) }
        self.capacity = capacity
        unsafe start = memory.bindMemory(to: Element.self, capacity: capacity)
    }

    deinit { unsafe free(start) }

    /// A larger buffer, or a second one, that begins with the first `count` elements of this one.
    func copied(first count: Int, capacity: Int) throws(VectorSearchError) -> AlignedBuffer {
        precondition(
            count <= self.capacity && count <= capacity,
            "more elements were to be copied than there is room for"
        )
        let copy = try AlignedBuffer(capacity: capacity)
        unsafe copy.start.update(from: start, count: count)
        return copy
    }
}
