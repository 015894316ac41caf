import Glibc

/// A text that no log, error, recording or debugger shows by accident; it never comes from an argument.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself, for the one call that needs it.
    package let exposed: String

    package init(_ text: String) {
        exposed = text
    }

    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret {
    /// A variable that should hold a secret, or name the file of one, and does neither.
    package struct Unreadable: Error, Sendable, Hashable, CustomStringConvertible {
        package let variable: String
        /// What is the matter, as it stands in a sentence about the variable.
        package let reason: String

        package var description: String { "\(variable) gives no secret: \(reason)." }
    }

    /// Larger than any key, token or private key.
    private static let mostBytes = 64 << 10

    /// The secret of a variable, or of the file that the variable with `_FILE` names; nil where neither is set.
    ///
    /// A file's last line break is no part of the secret.
    package static func named(
        _ variable: String,
        in environment: (String) -> String? = Self.variable
    ) throws(Unreadable) -> Secret? {
        if let text = environment(variable), !text.isEmpty { return try checked(text, variable) }
        let fileVariable = variable + "_FILE"
        guard let path = environment(fileVariable), !path.isEmpty else { return nil }
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try FileContents.read(path, limit: mostBytes)
        } catch {
            throw Unreadable(variable: fileVariable, reason: error.message)
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Unreadable(variable: fileVariable, reason: "its file is no text")
        }
        while text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { throw Unreadable(variable: fileVariable, reason: "its file is empty") }
        return try checked(text, fileVariable)
    }

    private static func checked(_ text: String, _ variable: String) throws(Unreadable) -> Secret {
        guard !text.utf8.contains(0) else { throw Unreadable(variable: variable, reason: "it has a NUL in it") }
        guard !text.allSatisfy(\.isWhitespace) else {
            throw Unreadable(variable: variable, reason: "it holds nothing but blanks")
        }
        return Secret(text)
    }

    /// A variable of this process.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        // The text is copied before anything else can run.
        return unsafe String(cString: value)
    }
}
