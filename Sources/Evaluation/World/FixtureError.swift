import FileInput
package import JSONDocument

/// Why a fixture, its readings or its rates cannot be used.
package struct FixtureError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case missing
        case notPermitted = "not_permitted"
        case unreadable
        case malformed
    }

    package let code: Code
    package let file: String
    package let message: String
    package let problems: [JSONProblem]

    package init(_ code: Code, file: String, _ message: String, problems: [JSONProblem] = []) {
        self.code = code
        self.file = file
        self.message = message
        self.problems = problems
    }

    package var description: String { "\(file): \(message)" }
}

extension FixtureError {
    /// A file that could not be read.
    init(_ fault: FileFault, file: String) {
        let code: Code =
            switch fault.code {
            case .missing, .folder: .missing
            case .notPermitted: .notPermitted
            case .tooLarge: .malformed
            case .failed: .unreadable
            }
        self.init(code, file: file, fault.message)
    }
}
