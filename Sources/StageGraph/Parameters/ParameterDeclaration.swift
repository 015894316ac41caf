package import JSONDocument

/// A number, word or switch a stage can be configured with, its bounds, and what it is for.
package struct ParameterDeclaration: Sendable {
    /// What values fit.
    package enum Domain: Sendable, Equatable {
        case double(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case bool
        /// One of these words.
        case choice([String])
    }

    package let name: String
    package let domain: Domain
    package let defaultValue: JSONValue
    package let summary: String
}
