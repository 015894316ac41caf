import Synchronization
import VaultStore

/// Files read one after another as somebody asks for them; those that cannot be read are noted.
final class FileQueue: Sendable {
    private struct State {
        var paths: ArraySlice<String>
        var failures: [CommandError] = []
    }

    private let state: Mutex<State>

    init(_ paths: [String]) {
        state = Mutex(State(paths: paths[...]))
    }

    var failures: [CommandError] { state.withLock { $0.failures } }

    /// The next file that can be read; nil at the end.
    func next() -> ImportSource? {
        while let path = state.withLock({ $0.paths.popFirst() }) {
            do throws(CommandError) {
                return ImportSource(name: path, bytes: try InputFile.read(path))
            } catch {
                state.withLock { $0.failures.append(error) }
            }
        }
        return nil
    }
}
