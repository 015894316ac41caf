import Glibc

/// Memory that begins at a cache line, or at a large page when there is much of it.
///
/// Safe to share: the address never changes and the memory is freed when nobody can see it any more. Its owner writes
/// only before others see it, or while nobody else has it.
@safe final class EncoderMemory: @unchecked Sendable {
    let count: Int
    let start: UnsafeMutableRawPointer

    private static let largePage = 2 << 20

    /// Nil when there are not so many bytes left.
    init?(_ count: Int) {
        guard count >= 0, count <= Int.max / 2 else { return nil }
        let isLarge = count >= 2 * Self.largePage
        let alignment = isLarge ? Self.largePage : 64
        var memory: UnsafeMutableRawPointer?
        guard unsafe posix_memalign(&memory, alignment, max(count, alignment)) == 0, let memory = unsafe memory else {
            return nil
        }
        // Large pages are a wish: without them everything works, and slower.
        if isLarge { _ = unsafe madvise(memory, count, MADV_HUGEPAGE) }
        self.count = count
        unsafe start = memory
    }

    deinit { unsafe free(start) }
}
