/// Why a zone's file could not be read.
package struct ZoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong with the file.
    package enum Code: String, Sendable {
        case notTZif
        case truncated
        case inconsistentCounts
        case badTransition
        case badOffset
        case badRule
        case leapSeconds
        case tooLarge
    }

    package let code: Code
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "The zone file cannot be used: \(detail)." }
}
