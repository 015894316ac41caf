import Glibc

/// A folder that is held open, so that a file is written, named and made lasting in one and the same place.
struct OutboxFolder: ~Copyable {
    /// Why a file is not there.
    struct Fault: Error, Equatable {
        let code: String
        /// What is the matter, as it stands in a sentence about the folder.
        let words: String
        /// Whether it stays so until somebody does something about the folder itself.
        var needsMending = false
    }

    private let descriptor: Int32

    init(_ path: String) throws(Fault) {
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("cannot be opened") }
    }

    deinit {
        close(descriptor)
    }

    /// Whether a file of that name is there.
    func has(_ file: String) throws(Fault) -> Bool {
        if unsafe faccessat(descriptor, file, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return true }
        guard errno == ENOENT else { throw .last("cannot be searched") }
        return false
    }

    /// Writes a file under another name, lets the disk have it, and then gives it its own: nobody sees a part.
    func put(_ bytes: [UInt8], as file: String) throws(Fault) {
        // A name of this process and moment, so that two that write the same notice do not write into one file.
        let part = ".\(file).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).part"
        let output = unsafe openat(descriptor, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard output >= 0 else { throw .last("takes no new file") }
        do throws(Fault) {
            defer { close(output) }
            try Self.write(bytes, to: output)
            guard fsync(output) == 0 else { throw .last("cannot keep a file") }
        } catch {
            unsafe unlinkat(descriptor, part, 0)
            throw error
        }
        guard unsafe renameat(descriptor, part, descriptor, file) == 0 else {
            let fault = Fault.last("cannot name a file")
            unsafe unlinkat(descriptor, part, 0)
            throw fault
        }
    }

    /// The beginning of a file; nil where it is none, or gone.
    func beginning(of file: String, bytes: Int) -> [UInt8]? {
        // A pipe of that name must not hold anybody up.
        let input = unsafe openat(descriptor, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard input >= 0 else { return nil }
        defer { close(input) }
        var status = stat()
        // The structure is alive for the call, which fills it.
        guard unsafe fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var count = 0
        let read = unsafe [UInt8](unsafeUninitializedCapacity: bytes) { buffer, filled in
            // The call writes at most the buffer's own size.
            count = unsafe Glibc.read(input, buffer.baseAddress, bytes)
            filled = max(0, count)
        }
        return count < 0 ? nil : read
    }

    func remove(_ file: String) throws(Fault) {
        guard unsafe unlinkat(descriptor, file, 0) == 0 || errno == ENOENT else { throw .last("keeps a file") }
    }

    /// Lets the disk have the names.
    func sync() throws(Fault) {
        guard fsync(descriptor) == 0 else { throw .last("cannot keep its names") }
    }

    private static func write(_ bytes: [UInt8], to output: Int32) throws(Fault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The bytes outlive the call, which reads as many as are counted.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("cannot keep a file") }
            rest = rest.dropFirst(count)
        }
    }
}

extension OutboxFolder.Fault {
    /// What the number says that the call just before left behind.
    fileprivate static func last(_ what: String) -> OutboxFolder.Fault {
        let number = errno
        return switch number {
        case ENOENT, ENOTDIR:
            Self(code: "outbox_missing", words: "\(what): there is no such folder; make it", needsMending: true)
        case EACCES, EPERM, EROFS:
            Self(
                code: "outbox_not_permitted",
                words: "\(what): it may not be written to; give this user the right",
                needsMending: true
            )
        case ENOSPC, EDQUOT: Self(code: "outbox_disk_full", words: "\(what): the disk is full; make room")
        default: Self(code: "outbox_failed", words: "\(what): error \(number) of the system")
        }
    }
}
