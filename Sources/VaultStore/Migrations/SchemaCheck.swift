/// Whether a database has a schema this binary can work with: its own, or one that only adds to it; every command asks
/// before it does anything.
package enum SchemaCheck {
    /// Throws for an older schema, one that this binary is too old for, or one whose files have changed.
    package static func verify(_ session: some MigrationSession) async throws(MigrationError) {
        try await verify(session, migrations: Migrations.all, bootstrap: Migrations.bootstrap)
    }

    static func verify(
        _ session: some MigrationSession,
        migrations: [Migration],
        bootstrap: Migration
    ) async throws(MigrationError) {
        let history = try await MigrationDatabase(session: session).history()
        try history.check(against: migrations, bootstrap: bootstrap)
        let latest = migrations.last?.number ?? 0
        guard history.highest >= latest else {
            let found = history.applied.isEmpty ? "has no schema yet" : "is at migration \(history.highest)"
            throw MigrationError(
                .databaseOlder,
                what: "the database \(found), and this command needs migration \(latest)",
                todo: "run: knot-recommend migrate"
            )
        }
    }
}
