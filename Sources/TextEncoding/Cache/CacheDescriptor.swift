import Glibc
import VectorSearch

/// A file that is open to be read, and by its only writer to be added to; closing it gives up the writer's lock.
struct CacheDescriptor: ~Copyable {
    let number: Int32
    private let path: String

    /// Opens a file that exists, for reading.
    init(reading path: String) throws(EmbeddingCacheError) {
        number = try Self.opened(path, O_RDONLY)
        self.path = path
    }

    /// Opens a file or creates it, and becomes its only writer.
    init(appendingTo path: String) throws(EmbeddingCacheError) {
        let number = try Self.opened(path, O_RDWR | O_CREAT)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let fault = isTaken ? "one writer at a time may add to it; others may read" : SystemFault.last
            _ = close(number)
            throw EmbeddingCacheError(isTaken ? .inUse : .unreadable, path, fault)
        }
        // Vectors tell of the texts they were made from: a file that was open to others is closed to them.
        _ = fchmod(number, 0o600)
        self.number = number
        self.path = path
    }

    private static func opened(_ path: String, _ flags: Int32) throws(EmbeddingCacheError) -> Int32 {
        // Without waiting, so that a pipe of that name is refused and does not stop us.
        let number = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard number >= 0 else { throw EmbeddingCacheError(.unreadable, path, SystemFault.last) }
        return number
    }

    deinit {
        // Said aloud, since a child that is just being started has the descriptor as well until it runs.
        _ = flock(number, LOCK_UN)
        _ = close(number)
    }

    func map() throws(EmbeddingCacheError) -> MappedFile {
        do throws(EmbeddingFileError) {
            return try MappedFile(descriptor: number, path: path)
        } catch {
            throw EmbeddingCacheError(.unreadable, path, error.detail)
        }
    }

    /// Writes at a place and returns how many of the bytes are in the file, with the system's reason if not all.
    func write(_ bytes: [UInt8], at place: Int) -> (count: Int, fault: String?) {
        var done = 0
        while done < bytes.count {
            // The array outlives the call, and what is left of it begins within it.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    number,
                    buffer.baseAddress.map { unsafe $0 + done },
                    buffer.count - done,
                    off_t(place + done)
                )
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return (done, count < 0 ? SystemFault.last : "nothing was written") }
            done += count
        }
        return (done, nil)
    }

    /// Cuts the file off at a place; says why when the system would not.
    func cut(at place: Int) -> String? {
        ftruncate(number, off_t(place)) == 0 ? nil : SystemFault.last
    }

    /// Puts on the disk what was written.
    func flush() throws(EmbeddingCacheError) {
        guard fdatasync(number) == 0 else { throw EmbeddingCacheError(.unwritable, path, SystemFault.last) }
    }
}
