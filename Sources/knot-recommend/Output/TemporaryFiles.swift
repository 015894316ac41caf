import Glibc
import Synchronization

/// The half-written files of this process, so that a signal can remove them.
final class TemporaryFiles: Sendable {
    private struct State {
        var paths: Set<String> = []
        var isSealed = false
    }

    private let state = Mutex(State())

    /// Those of the whole process: the signal thread and every writer must mean the same ones.
    static let shared = TemporaryFiles()

    /// Notes a file before it is made; false once the process is ending and no new file may appear.
    func add(_ path: String) -> Bool {
        state.withLock { state in
            guard !state.isSealed else { return false }
            state.paths.insert(path)
            return true
        }
    }

    /// Forgets a file that has been renamed or removed.
    func remove(_ path: String) {
        state.withLock { _ = $0.paths.remove(path) }
    }

    /// Removes all files and lets no new one be made.
    func removeAll() {
        let paths = state.withLock { state in
            state.isSealed = true
            return state.paths
        }
        for path in paths { _ = unsafe unlink(path) }
    }
}
