import Glibc

/// A lock file held by one process at a time; the system lets go of it when the process ends, however it ends.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    deinit {
        _ = close(descriptor)
    }

    /// Nil when somebody else holds the lock until the patience is over.
    static func acquire(_ path: String, patience: Duration) throws(LocalServerError) -> FolderLock? {
        let deadline = ContinuousClock.now + patience
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw ServerFiles.failure(errno, "cannot open \(path)") }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                var status = stat()
                _ = unsafe fstat(descriptor, &status)
                // A holder may have deleted the whole folder meanwhile: then this lock locks nothing.
                if ServerFiles.entry(at: path) == ServerFiles.Entry(status) {
                    return FolderLock(descriptor: descriptor)
                }
                _ = close(descriptor)
                guard ServerFiles.parent(of: path).flatMap({ ServerFiles.entry(at: $0) }) != nil else { return nil }
            } else {
                let fault = errno
                _ = close(descriptor)
                guard fault == EWOULDBLOCK || fault == EINTR else {
                    throw ServerFiles.failure(fault, "cannot lock \(path)")
                }
                guard ContinuousClock.now < deadline else { return nil }
                ProcessTable.pause(milliseconds: 10)
            }
        }
    }
}
