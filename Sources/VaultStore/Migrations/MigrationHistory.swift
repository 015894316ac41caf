/// What a database says was applied to it, held against what this binary knows.
struct MigrationHistory: Sendable {
    /// By number.
    let applied: [AppliedMigration]

    var highest: Int { applied.last?.number ?? 0 }

    var numbers: Set<Int> { Set(applied.map(\.number)) }

    /// Throws for a history that this binary must not build upon: newer, with a gap, or of files that have changed.
    func check(against known: [Migration], bootstrap: Migration) throws(MigrationError) {
        let latest = known.last?.number ?? 0
        // What only adds may be there before this binary knows it.
        if let needed = applied.filter({ $0.number > latest }).max(by: { $0.worksFrom < $1.worksFrom }),
            needed.worksFrom > latest
        {
            throw MigrationError(
                .databaseNewer,
                what: "the database has migration \(needed.name), and this binary knows only up to \(latest)",
                todo: "update knot-recommend to a version that knows migration \(needed.worksFrom)"
            )
        }
        let byNumber = Dictionary(uniqueKeysWithValues: ([bootstrap] + known).map { ($0.number, $0) })
        for row in applied where row.number <= latest {
            guard let migration = byNumber[row.number] else {
                throw MigrationError(
                    .historyGap,
                    what: "the database has migration \(row.name), which this binary does not know",
                    todo: "use the knot-recommend that made this database"
                )
            }
            guard row.checksum == migration.checksum else {
                throw MigrationError(
                    .checksumChanged,
                    what: "\(migration.fileName) was applied on \(row.appliedAt) with other contents",
                    todo: "use the knot-recommend that applied it, or one that has not edited it"
                )
            }
        }
        let here = numbers
        for migration in known where migration.number < highest && !here.contains(migration.number) {
            throw MigrationError(
                .historyGap,
                what: "the database has migration \(highest) but not \(migration.fileName)",
                todo: "its history was edited by hand; restore the row of knot.knot_migrations"
            )
        }
    }
}
