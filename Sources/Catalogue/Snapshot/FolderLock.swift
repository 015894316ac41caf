import Glibc
import VectorSearch

/// Where a writer is; a process that ends at any of them leaves what was committed last.
package enum WriterPoint: String, CaseIterable, Sendable {
    case locked
    /// A segment's vectors are on the disk, and nothing else of it.
    case vectorsWritten = "vectors_written"
    case segmentWritten = "segment_written"
    /// The list of what is gone is on the disk.
    case goneWritten = "gone_written"
    case beforeCommit = "before_commit"
    case afterCommit = "after_commit"
    /// One of the files that are no longer needed is gone.
    case strayRemoved = "stray_removed"
    case mergeBegun = "merge_begun"
    case mergeWritten = "merge_written"
}

/// The lock by which a folder has one writer.
final class FolderLock {
    private let number: Int32

    /// Looked at so often while another process writes.
    private static let pause: UInt32 = 50_000

    /// Does what needs the lock, again and again until nobody else has it.
    static func waiting<Value>(
        until end: ContinuousClock.Instant,
        _ body: () throws(CatalogueError) -> Value
    ) throws(CatalogueError) -> Value {
        while true {
            do throws(CatalogueError) {
                return try body()
            } catch {
                guard error.code == .inUse, ContinuousClock.now < end else { throw error }
                _ = usleep(pause)
            }
        }
    }

    init(_ folder: String) throws(CatalogueError) {
        guard unsafe mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw Self.fault(folder) }
        let number = unsafe open(folder + "/" + FolderFiles.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard number >= 0 else { throw Self.fault(folder) }
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error =
                isTaken
                ? CatalogueError(.inUse, folder, "another process writes to it at this moment") : Self.fault(folder)
            _ = close(number)
            throw error
        }
        self.number = number
    }

    private static func fault(_ folder: String) -> CatalogueError {
        let code: CatalogueError.Code =
            switch errno {
            case EACCES, EPERM, EROFS: .notPermitted
            case ENOENT, ENOTDIR: .nowhere
            default: .unwritable
            }
        return CatalogueError(code, folder, SystemFault.last)
    }

    deinit {
        // Said aloud, since a child that is just being started has the descriptor as well until it runs.
        _ = flock(number, LOCK_UN)
        _ = close(number)
    }
}
