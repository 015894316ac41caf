/// What went with a vault.
package struct ForgottenVault: Sendable, Hashable {
    /// Rows of one table.
    package struct Removal: Sendable, Hashable {
        package let table: String
        package let count: Int
    }

    package let vault: PostgresUUID
    package let user: PostgresUUID
    /// Tables that held anything, in the order of the schema.
    package let removals: [Removal]
    /// What files outside the database may be named after.
    package let runs: [PostgresUUID]
    package let hints: [PostgresUUID]
}
