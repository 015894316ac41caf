/// Why a test got no database.
package struct DatabaseTestError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// The SQLSTATE, where a server gave one.
    package let state: String?

    package init(_ description: String, state: String? = nil) {
        self.description = description
        self.state = state
    }
}
