/// A row of the history that a database keeps of its migrations.
package struct AppliedMigration: Sendable, Hashable {
    package let number: Int
    package let name: String
    package let checksum: String
    /// As the server writes it.
    package let appliedAt: String
    /// Its tables were there already, so it was noted and not run.
    package let isAdopted: Bool
    /// Up to which number a program has to know migrations to work with a database that has this one.
    package let worksFrom: Int
}
