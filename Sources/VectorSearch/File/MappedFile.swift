import CVectorKernels
import Glibc
import Synchronization

/// A file's bytes, mapped for reading.
///
/// Safe to share: nothing is written through the mapping, and it ends when nobody can see it any more. Our own writer
/// replaces files; where somebody else cuts one short while it is mapped, its missing pages read as zeros and `isCut` says so.
@safe package final class MappedFile: @unchecked Sendable {
    /// How many bytes it had when it was mapped.
    package let count: Int
    private let start: UnsafeRawPointer?
    /// What the guard against a file that is cut short knows the mapping by.
    private let guardSlot: Int32
    private let calls: FileCalls?
    private let coldness = Atomic(false)

    /// Maps a regular file as it is now; an empty one needs no memory.
    ///
    /// Of one that `staysOpen`, copies are read by calls as long as little of it was copied.
    package convenience init(_ path: String, staysOpen: Bool = false) throws(EmbeddingFileError) {
        // Without waiting, so that a pipe of that name is refused and does not stop us.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw EmbeddingFileError(.unreadable, path, SystemFault.last) }
        let calls = staysOpen ? FileCalls(descriptor) : nil
        defer { if calls == nil { _ = close(descriptor) } }
        try self.init(descriptor: descriptor, path: path, calls: calls)
    }

    /// Maps a file that is open for reading; the descriptor stays the caller's.
    package convenience init(descriptor: Int32, path: String) throws(EmbeddingFileError) {
        try self.init(descriptor: descriptor, path: path, calls: nil)
    }

    private init(descriptor: Int32, path: String, calls: FileCalls?) throws(EmbeddingFileError) {
        self.calls = calls
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw EmbeddingFileError(.unreadable, path, SystemFault.last)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw EmbeddingFileError(.unreadable, path, "it is not a regular file")
        }
        count = Int(status.st_size)
        guard count > 0 else {
            unsafe start = nil
            guardSlot = -1
            return
        }
        guard let mapping = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0), unsafe mapping != MAP_FAILED
        else { throw EmbeddingFileError(.unreadable, path, SystemFault.last) }
        unsafe start = UnsafeRawPointer(mapping)
        guardSlot = unsafe knot_guard_mapping(mapping, count)
    }

    deinit {
        knot_release_mapping(guardSlot)
        if let start = unsafe start { _ = unsafe munmap(UnsafeMutableRawPointer(mutating: start), count) }
    }

    /// Whether something was read that is no longer in the file: what came of it must not be used.
    package var isCut: Bool { knot_mapping_is_cut(guardSlot) != 0 }

    /// The bytes of a range of the file; they last as long as this object.
    @unsafe package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        return unsafe UnsafeRawBufferPointer(start: start.map { unsafe $0 + range.lowerBound }, count: range.count)
    }

    /// Lends the bytes of a range of the file.
    package func withBytes<Result, Failure: Error>(
        _ range: Range<Int>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The mapping lasts as long as this object.
        let bytes = unsafe bytes(range).assumingMemoryBound(to: UInt8.self)
        return try withExtendedLifetime(self) { () throws(Failure) in try unsafe body(bytes.span) }
    }

    /// A range's bytes, copied.
    ///
    /// The first touch of a mapped page costs more than a call, since the system maps the pages around it as well and takes
    /// all of them away at the end. That pays where much of the file is used, and not for the few items that one search finds.
    package func copy(_ range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        if let descriptor = calls?.descriptor(for: range.count, of: count) {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { room, count in
                // The room is as long as the range.
                count = unsafe max(0, pread(descriptor, room.baseAddress, range.count, off_t(range.lowerBound)))
            }
            if bytes.count == range.count { return bytes }
        }
        return withBytes(range) { bytes in unsafe bytes.withUnsafeBytes { unsafe Array<UInt8>($0) } }
    }

    /// Whether hardly anything of a range has to be read from the disk: every half megabyte one page is looked at.
    package func isInMemory(_ range: Range<Int>) -> Bool {
        guard let start = unsafe start else { return true }
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        var looked = 0
        var missing = 0
        for place in stride(from: range.lowerBound / 4_096 * 4_096, to: range.upperBound, by: 1 << 19) {
            var state: UInt8 = 0
            // The page lies in the mapping, and the call writes one byte for it.
            guard unsafe mincore(UnsafeMutableRawPointer(mutating: start + place), 1, &state) == 0 else { return true }
            looked += 1
            if state & 1 == 0 { missing += 1 }
        }
        return missing * 50 <= looked
    }

    /// Checks whether all of the file is in memory; from then on `expect` does nothing if it is.
    package func expectReading() { coldness.store(!isInMemory(0..<count), ordering: .relaxed) }

    /// Whether parts of the file come from the disk, as far as `expectReading` found.
    package var isCold: Bool { coldness.load(ordering: .relaxed) }

    /// Asks the disk for a range that is needed soon, without waiting for it.
    ///
    /// A caller that needs many small ranges asks for all of them before it reads the first. A page that wasn't asked for
    /// makes its reader wait, and the system reads up to megabytes around it.
    package func expect(_ range: Range<Int>) {
        if isCold { ask(for: range) }
    }

    /// Asks the disk for a range, whether or not the file is in memory.
    package func ask(for range: Range<Int>) {
        // The system cuts a wish at what it reads ahead, so a large range takes several.
        let most = 1 << 20
        for start in stride(from: range.lowerBound, to: range.upperBound, by: most) {
            advise([MADV_WILLNEED], start..<min(start + most, range.upperBound))
        }
    }

    /// Asks for the pages of a range now, all at once, instead of one by one at their first use.
    ///
    /// It is only a wish, and another that what has to be read from the disk comes in large pages: the system keeps those
    /// for all later processes, and maps each of them at the price of a small one.
    package func prefetch(_ range: Range<Int>) {
        let populateForReading: Int32 = 22  // MADV_POPULATE_READ; unknown to Linux before 5.14, which says so.
        advise([MADV_HUGEPAGE, populateForReading], range)
    }

    private func advise(_ wishes: [Int32], _ range: Range<Int>) {
        guard let start = unsafe start, !range.isEmpty else { return }
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        let first = range.lowerBound / 4_096 * 4_096
        for wish in wishes {
            _ = unsafe madvise(UnsafeMutableRawPointer(mutating: start + first), range.upperBound - first, wish)
        }
    }
}

/// A file that stays open, and how much of it was read by calls.
private final class FileCalls: Sendable {
    private let descriptor: Int32
    private let byteCount = Atomic(0)
    /// Files of which a smaller part was used are read by calls.
    private static let part = 8

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }

    func descriptor(for bytes: Int, of all: Int) -> Int32? {
        guard byteCount.load(ordering: .relaxed) < all / Self.part - bytes else { return nil }
        byteCount.add(bytes, ordering: .relaxed)
        return descriptor
    }
}

/// CRC32C of bytes.
package enum Checksum {
    /// The checksum of bytes that follow others whose checksum is `earlier`.
    @unsafe package static func of(_ bytes: UnsafeRawBufferPointer, after earlier: UInt32 = 0) -> UInt32 {
        unsafe knot_crc32c(earlier, bytes.baseAddress, bytes.count)
    }

    /// Likewise of bytes that are lent.
    package static func of(_ bytes: Span<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe of($0, after: earlier) }
    }
}

/// The reason the last system call gave for its failure, in the system's words.
package enum SystemFault {
    /// In lower case, without a full stop.
    package static var last: String {
        let number = errno
        var buffer = [CChar](repeating: 0, count: 128)
        let capacity = buffer.count
        // The buffer outlives the call, which writes at most its capacity with a closing zero.
        let failed = unsafe buffer.withUnsafeMutableBufferPointer { target -> Int32 in
            guard let start = target.baseAddress else { return -1 }
            return unsafe strerror_r(number, start, capacity)
        }
        guard failed == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
    }
}
