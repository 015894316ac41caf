/// What a server or the way to it answered instead of a result.
package struct MigrationSessionError: Error, Hashable {
    /// Nil when the server was not reached or did not answer.
    package let sqlState: String?
    package let message: String

    package init(sqlState: String?, message: String) {
        self.sqlState = sqlState
        self.message = message
    }
}
