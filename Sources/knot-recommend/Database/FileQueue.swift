import FileInput
import Synchronization
import VaultStore

/// Files read one after another as somebody asks for them; those that cannot be read are noted.
///
/// With each comes what lies beside it, as for a run of the file itself: its readings, and the folder's rates.
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

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Nil where there is nothing of that name in the file's folder.
    private static func beside(_ name: String, _ path: String) throws(CommandError) -> [UInt8]? {
        let other = path.dropLast(Self.name(of: path).count) + name
        guard other != path, !FileContents.isStandardInput(path), FileStatus(path: String(other))?.kind == .regular
        else { return nil }
        return try InputFile.read(String(other))
    }

    /// The next file that can be read; nil at the end.
    func next() -> ImportSource? {
        while let path = state.withLock({ $0.paths.popFirst() }) {
            do throws(CommandError) {
                return ImportSource(
                    name: InputFile.name(of: path),
                    bytes: try InputFile.read(path),
                    readings: try Self.beside("readings/\(Self.name(of: path))", path),
                    rates: try Self.beside("rates.json", path)
                )
            } catch {
                state.withLock { $0.failures.append(error) }
            }
        }
        return nil
    }
}
