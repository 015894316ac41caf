package import JSONDocument

/// Why a catalogue's file cannot be used.
package struct CatalogueFileError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case missing
        case unreadable
        case notPermitted = "not_permitted"
        case malformed
        /// More bytes or items than a file may have; a table takes more.
        case tooLarge = "too_large"
        /// There is no room to make it ready for searching.
        case unsearchable
    }

    package let code: Code
    package let file: String
    package let message: String
    /// Each with its line: `line 3: $.title`.
    package let problems: [JSONProblem]

    package init(_ code: Code, file: String, _ message: String, problems: [JSONProblem] = []) {
        self.code = code
        self.file = file
        self.message = message
        self.problems = problems
    }

    package var description: String { "\(file): \(message)" }
}
