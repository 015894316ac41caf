/// What an import did with one vault.
package struct ImportOutcome: Sendable, Hashable {
    package enum Change: String, Sendable {
        case added
        /// This very file was imported before.
        case unchanged
        /// Deleted with everything that hung on it, and imported anew.
        case replaced
    }

    package let vault: PostgresUUID
    package let user: PostgresUUID
    package let name: String
    package let change: Change
    package let candidateCount: Int
}
