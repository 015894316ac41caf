import Digest
import Glibc
import VectorSearch

/// A model's file, mapped for reading.
///
/// Safe to share: nothing is written through the mapping, and it ends when nobody can see it any more. As with any mapped
/// file, cutting the file short in place while it is mapped ends the process.
@safe final class ModelFile: @unchecked Sendable {
    let path: String
    let count: Int
    /// The file as it was when it was mapped.
    let stamp: FileStamp
    private let start: UnsafeMutableRawPointer?

    /// Whether there is anything of that name.
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    init(_ path: String) throws(EncoderError) {
        // Without waiting, so that a pipe of that name is refused and does not stop us.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let missing = errno == ENOENT
            throw EncoderError(
                missing ? .incomplete : .unreadable,
                path,
                missing ? "there is no such file" : SystemFault.last
            )
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw EncoderError(.unreadable, path, SystemFault.last) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw EncoderError(.unreadable, path, "it is not a regular file")
        }
        self.path = path
        count = Int(status.st_size)
        stamp = FileStamp(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            size: count,
            modified: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec,
            changed: status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
        )
        guard count > 0 else {
            unsafe start = nil
            return
        }
        guard let mapping = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
            unsafe mapping != MAP_FAILED
        else { throw EncoderError(.unreadable, path, SystemFault.last) }
        unsafe start = mapping
    }

    deinit {
        if let start = unsafe start { _ = unsafe munmap(start, count) }
    }

    /// The bytes of a range of the file; they last as long as this object.
    @unsafe func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        return unsafe UnsafeRawBufferPointer(start: start.map { unsafe $0 + range.lowerBound }, count: range.count)
    }

    /// The bytes of a range, copied.
    func copy(_ range: Range<Int>) -> [UInt8] { unsafe Array(bytes(range)) }

    /// The SHA-256 of the whole file.
    var digest: SHA256Digest {
        prefetch(0..<count)
        return unsafe SHA256Digest(of: bytes(0..<count))
    }

    /// Asks for the pages of a range now, all at once, instead of one by one at their first use.
    ///
    /// It is only a wish.
    func prefetch(_ range: Range<Int>) {
        advise(range, 22)  // MADV_POPULATE_READ; unknown to Linux before 5.14, which says so.
    }

    /// Gives the pages of a range back; they are read again should somebody look at them.
    func release(_ range: Range<Int>) { advise(range, MADV_DONTNEED) }

    private func advise(_ range: Range<Int>, _ advice: Int32) {
        guard let start = unsafe start, !range.isEmpty else { return }
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range outside the file")
        // A private mapping that is never written loses nothing with its pages, whole or shared with a neighbour.
        let first = range.lowerBound / 4_096 * 4_096
        _ = unsafe madvise(start + first, range.upperBound - first, advice)
    }
}
