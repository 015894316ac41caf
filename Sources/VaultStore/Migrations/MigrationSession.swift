/// What migrations need of a connection: scripts as they stand, and a few rows as text.
package protocol MigrationSession: Sendable {
    /// Runs the statements of a script one after another and throws the first failure.
    func run(script: String) async throws(MigrationSessionError)

    /// Rows of one statement as text, with `$1` and so on as its values.
    func rows(_ statement: String, _ values: [String?]) async throws(MigrationSessionError) -> [[String?]]
}
