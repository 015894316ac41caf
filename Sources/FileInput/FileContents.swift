import Glibc
import Synchronization

/// Reads whole files: regular ones, pipes, and standard input under the name `-`.
package enum FileContents {
    /// The largest file that is read: far above any vault, far below the machine's memory.
    package static let sizeLimit = 256 << 20

    /// What is named in place of a file that standard input stands for.
    package static let standardInput = "-"

    /// What came out of pipes and standard input, which give it once: whoever reads them again gets the same.
    private static let once = Mutex<[Source: [UInt8]]>([:])

    private enum Source: Hashable {
        case standardInput
        case pipe(device: UInt, inode: UInt)
    }

    /// Whether a path means standard input.
    package static func isStandardInput(_ path: String) -> Bool {
        [standardInput, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path)
    }

    /// All bytes of a file.
    package static func read(_ path: String, limit: Int = sizeLimit) throws(FileFault) -> [UInt8] {
        let source = source(of: path)
        if let source, let known = once.withLock({ $0[source] }) { return known }
        let bytes: [UInt8]
        if source == .standardInput {
            // Read as it is: opening it again is refused where it is a socket or another user's terminal.
            bytes = try read(0, limit: limit)
        } else {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .last }
            defer { _ = close(descriptor) }
            bytes = try read(descriptor, limit: limit)
        }
        if let source { once.withLock { $0[source] = bytes } }
        return bytes
    }

    /// Says what is the matter with a path, without opening it: a pipe that is opened and left loses what it would give.
    package static func look(at path: String, takesFolders: Bool) throws(FileFault) {
        guard !isStandardInput(path) else { return }
        var status = stat()
        // The structure is alive for the call, which fills it.
        guard unsafe stat(path, &status) == 0 else { throw .last }
        guard takesFolders || status.st_mode & S_IFMT != S_IFDIR else { throw .folder }
        guard unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else { throw .last }
    }

    /// Nil for what can be read as often as one likes.
    private static func source(of path: String) -> Source? {
        if isStandardInput(path) { return .standardInput }
        var status = stat()
        // The structure is alive for the call, which fills it.
        guard unsafe stat(path, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
        return .pipe(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    }

    private static func read(_ descriptor: Int32, limit: Int) throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // The call writes at most the buffer's own count.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
                guard bytes.count <= limit else {
                    throw FileFault(.tooLarge, "it is larger than \(limit >> 20) MiB")
                }
                continue
            }
            guard errno == EINTR || errno == EAGAIN else { throw .last }
            if errno == EAGAIN { waitUntilReadable(descriptor) }
        }
    }

    private static func waitUntilReadable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // One entry, alive for the call; a failure only means another turn of the loop.
        _ = unsafe poll(&entry, 1, 1_000)
    }
}
