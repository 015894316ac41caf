/// Why a recording cannot be used.
package struct CassetteError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The end of the file is missing.
        case torn
        /// The bytes are not those that were written.
        case corrupt
        /// It is no recording, or one of another version.
        case foreign
    }

    package let code: Code
    /// Counted from 1.
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
}
