/// Why a definition could not be found or read.
package struct DefinitionSourceError: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        case unknownName = "unknown_name"
        case missingFile = "missing_file"
        case notPermitted = "not_permitted"
        case tooLarge = "too_large"
        /// The system's own reason.
        case unreadable
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
