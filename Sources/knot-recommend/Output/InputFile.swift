import Glibc
import JSONDocument

/// Reads whole files that the person named, with errors that say which and why.
enum InputFile {
    /// The largest file that is read: far above any vault, far below the machine's memory.
    static let sizeLimit = 256 << 20

    /// All bytes of a file; a missing one is 66, a closed one 77.
    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw openingFailed(path, SystemFault.last) }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // The call writes at most the buffer's own count.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
                guard bytes.count <= sizeLimit else {
                    throw CommandError(
                        .badInput,
                        "the file is larger than \(sizeLimit >> 20) MiB",
                        at: path,
                        todo: "name a smaller file"
                    )
                }
                continue
            }
            let fault = SystemFault.last
            if fault.isInterruption { continue }
            guard fault.number != EISDIR else {
                throw CommandError(.notFound, "a folder has this name", at: path, todo: "name a file in it")
            }
            throw CommandError(.inputOutput, "cannot read the file: \(fault.message)", at: path, todo: "check the disk")
        }
    }

    /// A file as JSON; broken JSON is `code` with the line and column.
    static func readJSON(_ path: String, broken code: ExitCode = .badInput) throws(CommandError) -> JSONValue {
        let bytes = try read(path)
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            let problem = CommandProblem(file: path, path: "line \(error.line), column \(error.column)", error.message)
            throw CommandError(
                code,
                "not valid JSON: \(error.description)",
                at: path,
                todo: "repair the file",
                problems: [problem]
            )
        }
    }

    private static func openingFailed(_ path: String, _ fault: SystemFault) -> CommandError {
        switch fault.number {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP:
            CommandError(.notFound, "no such file", at: path, todo: "check the path")
        case EACCES, EPERM:
            CommandError(.notPermitted, "the file may not be read", at: path, todo: "check its permissions")
        default:
            CommandError(.inputOutput, "cannot open the file: \(fault.message)", at: path, todo: "check the disk")
        }
    }
}
