package import Console
import FileInput

/// Every file that a call reads or writes, as its operands, flags and settings name them.
///
/// It is looked at before anything is opened, so that no output ever takes the place of an input or of another output.
package struct CallFiles: Sendable {
    /// A file and what named it.
    private struct Named {
        let path: String
        /// `--record`, `KNOT_RATES`, or the operand's name.
        let source: String
    }

    /// What the call itself is to read, whatever else is looked at beside it.
    private struct Input {
        let path: String
        let takesFolders: Bool
    }

    private var inputs: [Input] = []
    private var read: [Named] = []
    /// Folders whose files are read.
    private var folders: [Named] = []
    private var written: [Named] = []
    /// Whether standard output gets the result; else it is free for another output.
    private let printsResult: Bool
    /// Files that are read because they lie beside one that is named; they need not be there.
    private let beside: @Sendable (String) -> [String]

    package init(printsResult: Bool, beside: @escaping @Sendable (String) -> [String] = { _ in [] }) {
        self.printsResult = printsResult
        self.beside = beside
    }

    /// What the call reads before all else: asked for early, since everything else waits for it.
    package mutating func addInput(_ path: String, _ kind: ValueKind) {
        inputs.append(Input(path: path, takesFolders: kind != .file && !kind.isForm))
    }

    /// A file or folder that is read sooner or later.
    package mutating func addRead(_ path: String, _ source: String) {
        if FileStatus(path: path)?.kind == .folder {
            addFolder(path, source)
        } else {
            read.append(Named(path: path, source: source))
        }
    }

    package mutating func addFolder(_ path: String, _ source: String) {
        folders.append(Named(path: path, source: source))
    }

    package mutating func addWritten(_ path: String, _ source: String) {
        written.append(Named(path: path, source: source))
    }

    /// Throws for the first input that cannot be read, and the first output that cannot be written: asked before a model or
    /// a database is looked for and before anything is sent.
    package func checkPlaces() throws(CommandError) {
        for input in inputs { try InputFile.look(at: input.path, takesFolders: input.takesFolders) }
        for output in written { try AtomicFile.look(at: output.path) }
    }

    /// Throws where two of the files are one and would harm each other.
    ///
    /// `output` is the file that standard output goes to, and `kept` are the files that this program keeps for itself.
    package func check(output: FileIdentity? = FileIdentity(descriptor: 1), kept: [String] = []) throws(CommandError) {
        var readers: [FileIdentity: Named] = [:]
        for file in read {
            guard let identity = FileIdentity(file.path) else { continue }
            if let other = readers[identity], Self.isReadOnce(identity, file.path) {
                throw Self.clash(file, other, "can be read only once", todo: "give each a file of its own")
            }
            readers[identity] = readers[identity] ?? file
            if let output, identity == output {
                throw Self.failure("the output goes into a file that is read", file)
            }
        }
        guard !written.isEmpty else { return }
        for file in read + folders {
            for neighbour in neighbours(of: file) {
                guard let identity = FileIdentity(neighbour.path) else { continue }
                readers[identity] = readers[identity] ?? neighbour
            }
        }
        for path in kept {
            guard let identity = FileIdentity(path) else { continue }
            readers[identity] = readers[identity] ?? Named(path: path, source: "a file that this program keeps")
        }
        try checkWritten(readers, output)
    }

    private func checkWritten(_ readers: [FileIdentity: Named], _ output: FileIdentity?) throws(CommandError) {
        var writers: [FileIdentity: Named] = [:]
        for file in written {
            guard let identity = file.path == "-" ? .standardOutput : FileIdentity(file.path) else { continue }
            if printsResult, identity == .standardOutput || identity == output {
                throw Self.failure("the result goes to standard output already", file)
            }
            if let other = readers[identity] {
                throw Self.clash(file, other, "are one file", todo: "give \(file.source) a file of its own")
            }
            if let other = writers[identity] {
                throw Self.clash(file, other, "are one file", todo: "give each a file of its own")
            }
            writers[identity] = file
        }
    }

    /// What is read because it lies beside a file that is named, or in a folder that is.
    private func neighbours(of file: Named) -> [Named] {
        guard FileStatus(path: file.path)?.kind == .folder else {
            return beside(file.path).map { Named(path: $0, source: file.source) }
        }
        return [file.path, file.path + "/readings"].flatMap { folder in
            Self.names(in: folder).map { Named(path: folder + "/" + $0, source: file.source) }
        }
    }

    private static func names(in folder: String) -> [String] {
        do throws(FileFault) {
            let endings = [".json", ".jsonl", ".cassette", ".safetensors", ".txt"]
            return try FolderContents(of: folder).names.filter { name in endings.contains(where: name.hasSuffix) }
        } catch {
            // Who reads the folder says what is the matter with it.
            return []
        }
    }

    private static func isReadOnce(_ identity: FileIdentity, _ path: String) -> Bool {
        identity == .standardInput || FileStatus(path: path)?.kind == .other
    }

    private static func clash(_ one: Named, _ other: Named, _ what: String, todo: String) -> CommandError {
        let names = one.source == other.source ? "two of \(one.source)" : "\(one.source) and \(other.source)"
        return CommandError(.usage, "\(names) \(what)", at: one.path, todo: todo)
    }

    private static func failure(_ what: String, _ file: Named) -> CommandError {
        CommandError(.usage, what, at: "\(file.source) \(file.path)", todo: "give it a file of its own")
    }
}
