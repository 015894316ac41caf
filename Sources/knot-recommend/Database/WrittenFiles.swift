import Glibc
import JSONDocument

/// Remembers which recordings and traces of stored vaults this program wrote, so that forgetting a vault finds them.
///
/// One line for each file, in `$XDG_STATE_HOME/knot-recommend/written.ndjson`, by default below `~/.local/state`.
struct WrittenFiles: Sendable {
    /// What forgetting a vault did to its files.
    struct Forgotten: Sendable, Equatable {
        var removed: [String] = []
        /// Written over since with something about another vault.
        var left: [String] = []
    }

    /// Nil without a home.
    let list: String?

    init(_ environment: Environment) {
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            list = folder + "/knot-recommend/written.ndjson"
        } else {
            list = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.local/state/knot-recommend/written.ndjson" }
        }
    }

    /// The folder that the list is in.
    var folder: String? { list.flatMap { list in list.lastIndex(of: "/").map { String(list[..<$0]) } } }

    /// Notes a file about a vault, before it is written.
    func note(_ path: String, vault: String) throws(CommandError) {
        guard let list else {
            throw Self.failure("HOME is not set, so the file could not be found again", "XDG_STATE_HOME")
        }
        do throws(CommandError) {
            try PrivateFolder.make(for: list)
        } catch {
            throw Self.failure(error.what, error.place)
        }
        let entry: JSONValue = ["vault_id": .string(vault), "file": .string(Self.absolute(path))]
        guard try !entries().contains(entry) else { return }
        let descriptor = unsafe open(list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(SystemFault.last.message, list) }
        defer { _ = close(descriptor) }
        // An earlier program may have left it open to others; where it is not ours, writing still is.
        _ = fchmod(descriptor, 0o600)
        if let fault = StandardStream.writeAll(Array((JSONWriter.text(entry) + "\n").utf8), to: descriptor) {
            throw Self.failure(fault.message, list)
        }
    }

    /// Removes the files about a vault, and what is known of them.
    func forget(_ vault: String, isDryRun: Bool) throws(CommandError) -> Forgotten {
        var forgotten = Forgotten()
        let all = try entries()
        let mine = all.filter { $0["vault_id"]?.string == vault }
        guard let list, !mine.isEmpty else { return forgotten }
        for path in mine.compactMap({ $0["file"]?.string }) where FileStatus(path: path) != nil {
            guard Self.isAbout(vault, path) else {
                forgotten.left.append(path)
                continue
            }
            if !isDryRun, unsafe unlink(path) != 0 {
                throw CommandError(
                    .inputOutput,
                    "the file could not be removed: \(SystemFault.last.message)",
                    at: path,
                    todo: "remove it by hand and run forget again"
                )
            }
            forgotten.removed.append(path)
        }
        if !isDryRun {
            let rest = all.filter { $0["vault_id"]?.string != vault }
            try AtomicFile.write(Array(rest.map { JSONWriter.text($0) + "\n" }.joined().utf8), to: list)
        }
        return forgotten
    }

    private func entries() throws(CommandError) -> [JSONValue] {
        guard let list, FileStatus(path: list) != nil else { return [] }
        let lines = try InputFile.read(list).split(separator: 0x0A)
        return lines.compactMap { line in
            do throws(JSONSyntaxError) {
                return try JSONParser.parse(Array(line))
            } catch {
                // A line that a full disk cut short names no file.
                return nil
            }
        }
    }

    /// Whether the first line of a recording or trace names the vault; only then is the file ours to remove.
    private static func isAbout(_ vault: String, _ path: String) -> Bool {
        do {
            let bytes = try InputFile.read(path)
            let head = try JSONParser.parse(Array(bytes.prefix { $0 != 0x0A }))
            return head["request"]?["vault_id"]?.string == vault || head["subject"]?.string == vault
        } catch {
            return false
        }
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return (FileStatus.resolved(".") ?? ".") + "/" + path
    }

    private static func failure(_ what: String, _ place: String) -> CommandError {
        CommandError(
            .inputOutput,
            "cannot remember which private file is written: \(what)",
            at: place,
            todo: "set XDG_STATE_HOME to a folder that can be written, or leave out --record and --trace"
        )
    }
}
