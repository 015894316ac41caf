import Glibc

/// A file on its way to replace another: until `commit` has returned, the old one is as it was.
final class FileReplacement {
    private let path: String
    private let target: String
    private let temporary: String
    private var descriptor: Int32

    /// Begins an empty file beside the one to be replaced; behind a link, beside the file it points to.
    init(of path: String) throws(EmbeddingFileError) {
        self.path = path
        target = Self.resolved(path)
        let name = target.split(separator: "/").last ?? ""
        temporary =
            Self.folder(of: target) + "/.\(name.prefix(100)).\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
        descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw EmbeddingFileError(.unwritable, path, SystemFault.last) }
    }

    deinit {
        // Not committed: the half of a file must not stay.
        guard descriptor >= 0 else { return }
        _ = close(descriptor)
        _ = unsafe unlink(temporary)
    }

    /// Writes at a place in the file.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(EmbeddingFileError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    /// Lengthens the file to `byteCount`, puts it on the disk, and lets it take the old one's place.
    func commit(byteCount: Int) throws(EmbeddingFileError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0, fsync(descriptor) == 0 else { throw failure() }
        let closing = close(descriptor)
        descriptor = -1
        guard closing == 0, unsafe rename(temporary, target) == 0 else {
            let error = failure()
            _ = unsafe unlink(temporary)
            throw error
        }
        // The rename must survive a crash as well; a folder that cannot be flushed has it anyway, only later.
        let folder = unsafe open(Self.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        _ = close(folder)
    }

    private func failure() -> EmbeddingFileError { EmbeddingFileError(.unwritable, path, SystemFault.last) }

    private static func resolved(_ path: String) -> String {
        guard let pointer = unsafe realpath(path, nil) else { return path }
        // The system has allocated the path for us to free.
        defer { unsafe free(pointer) }
        return unsafe String(cString: pointer)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
