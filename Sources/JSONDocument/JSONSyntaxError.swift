/// Where a text stops being JSON, and why.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Counted from one.
    package let line: Int
    /// Counted from one, in bytes.
    package let column: Int
    package let message: String

    package var description: String { "line \(line), column \(column): \(message)" }
}
