import FileInput
import Glibc

/// What a person types or another program sends.
enum StandardInput {
    static var isTerminal: Bool { isatty(0) == 1 }

    /// One line without its end; nil at the end of the input.
    static func line() -> String? { readLine(strippingNewline: true) }

    /// Everything up to the end.
    static func read() throws(CommandError) -> [UInt8] { try InputFile.read(FileContents.standardInput) }
}
