import Glibc
import JSONDocument

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

    /// Whether the first line of a recording or trace names the vault; only then is the file ours to remove.
    ///
    /// Of a file that was cut short in its first line, the line's text has to.
    func isAbout(_ vault: String, _ path: String) -> Bool {
        guard FileStatus(path: path)?.kind == .regular else { return false }
        do throws(CommandError) {
            let bytes = try InputFile.read(path)
            let line = bytes.prefix { $0 != 0x0A }
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
