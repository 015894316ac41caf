import FileInput
import Glibc
import JSONDocument

/// Remembers which recordings and traces of stored vaults this program wrote, and reports on them, so that forgetting a vault
/// finds them.
///
/// One line for each file, in `$XDG_STATE_HOME/knot-recommend/written.ndjson`, by default below `~/.local/state`. A file is
/// in the list from before it is written until it is gone: whoever is stopped in between leaves a line that is found.
package struct WrittenFiles: Sendable {
    /// What forgetting a vault did to its files.
    package struct Forgotten: Sendable, Equatable {
        package var removed: [String] = []
        /// Written over since with something about another vault.
        package var left: [String] = []
        /// Not there, and in the hands of a process that may yet write it.
        package var awaited: [String] = []
    }

    /// How long the end of other processes that write is waited for.
    private static let patience = Duration.seconds(10)

    /// Nil without a home.
    package let list: String?

    package init(_ environment: Environment) {
        list = UserFolder.state.path(of: "knot-recommend", environment.all).map { $0 + "/written.ndjson" }
    }

    /// The folder that the list is in.
    package var folder: String? { list.flatMap { list in list.lastIndex(of: "/").map { String(list[..<$0]) } } }

    /// Notes a file about a vault, before it is written; a device or a pipe keeps nothing.
    package func note(_ path: String, vault: String) throws(CommandError) {
        guard path != "-", FileStatus(path: path)?.kind != .other else { return }
        guard let list else {
            throw Self.failure("HOME is not set, so the file could not be found again", "XDG_STATE_HOME")
        }
        let file = Self.absolute(path)
        let entry = WrittenFile(file: file, vault: vault, writer: .current)
        try change(list) { entries in
            // An older line of the same file says nothing more, unless its writer is still at it.
            entries.filter { $0.file != file || $0.vault != vault || $0.isAwaited } + [entry]
        }
    }

    /// Whether anything is listed about a vault.
    package func knows(_ vault: String) throws(CommandError) -> Bool {
        guard let list else { return false }
        return try Self.entries(list).contains { $0.vault == vault }
    }

    /// Removes one file, if it is about the vault: for whoever wrote it and finds the vault gone.
    package func take(back path: String, vault: String) throws(CommandError) {
        let file = WrittenFile(file: Self.absolute(path), vault: vault, writer: nil)
        guard list != nil, file.isAbout(vault, file.file) else { return }
        try Self.remove(file.target)
    }

    /// Removes the files about a vault, and what is known of them, until nothing is left.
    ///
    /// A process that has announced a file and not written it yet is waited for; after that its file is named as awaited,
    /// and stays in the list for the next time.
    package func forget(_ vault: String, isDryRun: Bool) async throws(CommandError) -> Forgotten {
        var forgotten = Forgotten()
        guard let list else { return forgotten }
        let end = ContinuousClock.now + Self.patience
        while true {
            let mine = try Self.entries(list).filter { $0.vault == vault }
            if mine.isEmpty { return forgotten }
            var done: [WrittenFile] = []
            forgotten.awaited = []
            for entry in mine {
                try clear(entry, isDryRun: isDryRun, &forgotten)
                if entry.isAwaited { forgotten.awaited.append(entry.file) } else { done.append(entry) }
            }
            if isDryRun {
                forgotten.awaited = []
                return forgotten
            }
            if !done.isEmpty {
                try change(list) { entries in entries.filter { !done.contains($0) } }
                FailPoint.reach("forget_listed")
            }
            if forgotten.awaited.isEmpty { continue }
            guard ContinuousClock.now < end else { return forgotten }
            // A cancelled wait ends in the next look.
            do { try await ContinuousClock().sleep(for: .milliseconds(50)) } catch { return forgotten }
        }
    }

    /// Removes what there is of one file: itself, and what a writer that was stopped has left beside it.
    private func clear(_ entry: WrittenFile, isDryRun: Bool, _ forgotten: inout Forgotten) throws(CommandError) {
        for path in [entry.file] + (entry.isAwaited ? [] : AtomicFile.remains(of: entry.target)) {
            guard let status = FileStatus(path: path) else { continue }
            guard status.kind == .regular, entry.isAbout(entry.vault, path) else {
                if path == entry.file, !forgotten.left.contains(path) { forgotten.left.append(path) }
                continue
            }
            if !isDryRun {
                try Self.remove(path == entry.file ? entry.target : path)
                FailPoint.reach("forget_removed")
            }
            if !forgotten.removed.contains(path) { forgotten.removed.append(path) }
        }
    }

    private static func remove(_ path: String) throws(CommandError) {
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw CommandError(
            .inputOutput,
            "the file could not be removed: \(SystemFault.last.message)",
            at: path,
            todo: "remove it by hand and run forget again"
        )
    }

    /// Rewrites the list while no other process does.
    private func change(
        _ list: String,
        _ body: ([WrittenFile]) -> [WrittenFile]
    ) throws(CommandError) {
        do throws(CommandError) {
            try PrivateFolder.make(for: list, of: "knot-recommend")
        } catch {
            throw Self.failure(error.what, error.place)
        }
        let lock = unsafe open(list + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.failure(SystemFault.last.message, list) }
        // Closing gives the lock back, as does the end of the process.
        defer { _ = close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            let fault = SystemFault.last
            guard fault.isInterruption else { throw Self.failure(fault.message, list) }
        }
        let before = try Self.entries(list)
        let after = body(before)
        guard after != before else { return }
        do throws(CommandError) {
            try AtomicFile.write(Array(after.map { JSONWriter.text($0.json) + "\n" }.joined().utf8), to: list)
        } catch {
            throw Self.failure(error.what, error.place)
        }
        // Whoever was stopped at this very point left its half behind; under the lock nobody is at it.
        for path in AtomicFile.remains(of: list) { _ = unsafe unlink(path) }
    }

    private static func entries(_ list: String) throws(CommandError) -> [WrittenFile] {
        guard FileStatus(path: list) != nil else { return [] }
        let lines = try InputFile.read(list).split(separator: 0x0A)
        return lines.compactMap { line in
            do throws(JSONSyntaxError) {
                return WrittenFile(try JSONParser.parse(Array(line)))
            } catch {
                // A line that a full disk cut short names no file.
                return nil
            }
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
            todo: "set XDG_STATE_HOME to a folder that can be written, or leave out --record, --trace and --report"
        )
    }
}

/// One line of the list of written files: a file, whom it is about, and who writes it.
struct WrittenFile: Sendable, Equatable {
    /// A process, told from a later one of the same number by the moment it began.
    struct Writer: Sendable, Equatable {
        let process: Int
        let began: String

        static var current: Writer? {
            began(getpid()).map { Writer(process: Int(getpid()), began: $0) }
        }

        var isAlive: Bool { pid_t(exactly: process).flatMap(Self.began) == began }

        /// The 22nd field of the process's line, which follows its name in parentheses.
        private static func began(_ process: pid_t) -> String? {
            do throws(CommandError) {
                let line = String(decoding: try InputFile.read("/proc/\(process)/stat"), as: UTF8.self)
                guard let end = line.lastIndex(of: ")") else { return nil }
                let fields = line[line.index(after: end)...].split(separator: " ")
                // A process that only waits to be counted writes nothing any more.
                guard fields.count > 19, fields[0] != "Z" else { return nil }
                return String(fields[19])
            } catch {
                // There is no such process, or none that may be seen.
                return nil
            }
        }
    }

    let file: String
    let vault: String
    let writer: Writer?

    /// A report names its vaults within so many bytes.
    private static let pageHead = 1 << 20

    init(file: String, vault: String, writer: Writer?) {
        self.file = file
        self.vault = vault
        self.writer = writer
    }

    init?(_ value: JSONValue) {
        guard let file = value["file"]?.string, let vault = value["vault_id"]?.string else { return nil }
        self.file = file
        self.vault = vault
        writer = value["writer"].flatMap { writer in
            guard let process = writer["process"]?.int, let began = writer["began"]?.string else { return nil }
            return Writer(process: process, began: began)
        }
    }

    var json: JSONValue {
        [
            "vault_id": .string(vault), "file": .string(file),
            "writer": writer.map { ["process": .integer($0.process), "began": .string($0.began)] } ?? .null,
        ]
    }

    /// True while another process lives that has announced the file: it may write it at any moment, and once more.
    var isAwaited: Bool {
        guard let writer, Writer.current != writer else { return false }
        return writer.isAlive
    }

    /// The file itself, where the path is a link to it.
    var target: String { FileStatus.resolved(file) ?? file }

    /// Whether the first line of a recording or trace, or the head of a report, names the vault; only then is the file ours to
    /// remove.
    ///
    /// Of a file that was cut short in its first line, the line's text has to.
    func isAbout(_ vault: String, _ path: String) -> Bool {
        guard FileStatus(path: path)?.kind == .regular else { return false }
        do throws(CommandError) {
            let bytes = try InputFile.read(path)
            let line = bytes.prefix { $0 != 0x0A }
            if line.elementsEqual("<!doctype html>".utf8) {
                let head = bytes.prefix(Self.pageHead)
                return String(decoding: head, as: UTF8.self).contains("<meta name=\"knot-vault\" content=\"\(vault)\">")
            }
            do throws(JSONSyntaxError) {
                let head = try JSONParser.parse(Array(line))
                return head["request"]?["vault_id"]?.string == vault || head["subject"]?.string == vault
            } catch {
                guard path.hasSuffix(".tmp"), line.count == bytes.count else { return false }
                return bytes.isEmpty || String(decoding: line, as: UTF8.self).contains(vault)
            }
        } catch {
            return false
        }
    }
}

/// Named moments at which a test ends the process as a power cut would; in a released build there are none.
package enum FailPoint {
    /// Ends the process where `KNOT_FAIL_POINT` names this moment, or waits where `KNOT_WAIT_POINT` does.
    ///
    /// A wait ends when the file that follows the name and an equals sign is there.
    package static func reach(_ name: StaticString) {
        #if DEBUG
        let asked = unsafe getenv("KNOT_FAIL_POINT").map { unsafe String(cString: $0) }
        if asked == "\(name)" { _ = kill(getpid(), SIGKILL) }
        let wait = unsafe getenv("KNOT_WAIT_POINT").map { unsafe String(cString: $0) }
        guard let wait, wait.hasPrefix("\(name)=") else { return }
        let file = String(wait.dropFirst("\(name)=".count))
        while FileStatus(path: file) == nil { _ = usleep(10_000) }
        #endif
    }
}
