import Composition
import TestSupport
import VaultStore

extension DatabaseTemplate {
    /// The schema, as the command itself makes it.
    static let commandMigrated = DatabaseTemplate("command_migrated") { url in
        let outcome = try await DatabaseCommand.run("\"$KNOT\" migrate", on: url)
        guard outcome.code == 0 else { throw DatabaseTestError("migrate: \(outcome.errors)") }
    }

    /// The schema and two judged vaults.
    static let commandStocked = DatabaseTemplate("command_stocked") { url in
        let script = "\"$KNOT\" migrate && \"$KNOT\" import fixtures/vaults/dev-01.json fixtures/vaults/dev-02.json"
        let outcome = try await DatabaseCommand.run(script, on: url)
        guard outcome.code == 0 else { throw DatabaseTestError("import: \(outcome.errors)") }
    }
}
