import FileInput
import Glibc
package import JSONDocument
import Synchronization

/// One of the process's own output descriptors, written whole, in order, without a buffer that could be lost.
package struct StandardStream: ByteSink {
    package let descriptor: Int32
    package let name: String

    package static let output = StandardStream(descriptor: 1, name: "standard output")
    package static let diagnostics = StandardStream(descriptor: 2, name: "standard error")

    package func write(_ bytes: [UInt8]) throws(CommandError) {
        if let fault = Self.writeAll(bytes, to: descriptor) {
            if fault.number == EPIPE { throw .readerLeft }
            let todo = fault.number == ENOSPC ? "free some space and run it again" : "check where the output goes"
            throw CommandError(.inputOutput, "writing failed: \(fault.message)", at: name, todo: todo)
        }
    }

    /// Writes until all is written; waits where the descriptor does not block.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> SystemFault? {
        unsafe bytes.withUnsafeBytes { buffer -> SystemFault? in
            var done = 0
            while done < buffer.count {
                // `done` never passes the buffer's count, and the buffer outlives the call.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    done += count
                    continue
                }
                let fault = SystemFault.last
                if fault.isInterruption { continue }
                guard fault.number == EAGAIN else { return fault }
                waitUntilWritable(descriptor)
            }
            return nil
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // One entry, alive for the call; a failure only means another turn of the loop.
        _ = unsafe poll(&entry, 1, 1_000)
    }
}

/// Where output goes: a descriptor of the process, or memory in a test.
package protocol ByteSink: Sendable {
    /// Writes all bytes or throws; a reader that went away is `CommandError.readerLeft`.
    func write(_ bytes: [UInt8]) throws(CommandError)
}

extension ByteSink {
    /// Writes the UTF-8 of a text.
    package func write(_ text: String) throws(CommandError) {
        try write(Array(text.utf8))
    }
}

/// Keeps what is printed, for a file that is written when all of it is there.
package final class CollectedBytes: ByteSink {
    private let kept = Mutex<[UInt8]>([])

    package init() {}

    package func write(_ bytes: [UInt8]) throws(CommandError) {
        kept.withLock { $0 += bytes }
    }

    package var bytes: [UInt8] { kept.withLock { $0 } }
}

/// What a person types or another program sends.
package enum StandardInput {
    package static var isTerminal: Bool { isatty(0) == 1 }

    /// One line without its end; nil at the end of the input.
    package static func line() -> String? { readLine(strippingNewline: true) }

    /// Everything up to the end.
    package static func read() throws(CommandError) -> [UInt8] { try InputFile.read(FileContents.standardInput) }
}

/// Reads whole files that the person named, with errors that say which and why.
package enum InputFile {
    /// What a person reads in the place of a path.
    package static func name(of path: String) -> String {
        FileContents.isStandardInput(path) ? "standard input" : path
    }

    /// All bytes of a file, of a pipe or, under the name `-`, of standard input; a missing one is 66, a closed one 77.
    package static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do throws(FileFault) {
            return try FileContents.read(path)
        } catch {
            throw failure(error, name(of: path))
        }
    }

    /// A file as JSON; broken JSON is `code` with the line and column.
    package static func readJSON(_ path: String, broken code: ExitCode = .badInput) throws(CommandError) -> JSONValue {
        try json(try read(path), of: path, broken: code)
    }

    /// What was read of a file, as JSON.
    package static func json(
        _ bytes: [UInt8],
        of path: String,
        broken code: ExitCode = .badInput
    ) throws(CommandError) -> JSONValue {
        let path = name(of: path)
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

    /// Says what is the matter with an input that is read later, without opening it.
    package static func look(at path: String, takesFolders: Bool) throws(CommandError) {
        do throws(FileFault) {
            try FileContents.look(at: path, takesFolders: takesFolders)
        } catch {
            throw failure(error, name(of: path))
        }
    }

    private static func failure(_ fault: FileFault, _ path: String) -> CommandError {
        switch fault.code {
        case .missing: CommandError(.notFound, "no such file", at: path, todo: "check the path")
        case .folder: CommandError(.notFound, "a folder has this name", at: path, todo: "name a file in it")
        case .notPermitted:
            CommandError(.notPermitted, "the file may not be read", at: path, todo: "check its permissions")
        case .tooLarge: CommandError(.badInput, fault.message, at: path, todo: "name a smaller file")
        case .failed: CommandError(.inputOutput, fault.message, at: path, todo: "check the disk")
        }
    }
}
