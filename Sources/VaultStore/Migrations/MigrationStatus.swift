/// How one migration stands in a database.
package struct MigrationStatus: Sendable, Hashable {
    package let migration: Migration
    /// Nil while it is pending.
    package let applied: AppliedMigration?

    package var isPending: Bool { applied == nil }
}
