import JSONDocument
import VaultStore

/// `migrate`: brings the schema up to this binary, or tells how it stands.
enum MigrationDesk {
    static func report(
        _ options: MigrateVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let connection = try await DatabaseDesk(context).connect()
        let migrator = Migrator(connection, engineVersion: VersionVerb.number)
        let database = connection.target.description
        do throws(MigrationError) {
            if options.wantsStatus { return status(try await migrator.status(), of: database) }
            let plan = try await migrator.migrate(to: options.target, dryRun: options.isDryRun) { step in
                context.progress("applied \(step.migration.fileName)")
            }
            return done(plan, of: database, isDryRun: options.isDryRun)
        } catch {
            throw CommandError(error, in: database)
        }
    }

    private static func done(_ plan: MigrationPlan, of database: String, isDryRun: Bool) -> TextReport {
        let steps = plan.steps.map { step -> (name: String, isAdopted: Bool) in
            if case .adopt = step { (step.migration.fileName, true) } else { (step.migration.fileName, false) }
        }
        let json: JSONValue = [
            "schema": "knot.migrate/1", "database": .string(database), "from": .integer(plan.current),
            "to": .integer(plan.target), "dry_run": .bool(isDryRun),
            "steps": .array(
                steps.map { ["file": .string($0.name), "action": .string($0.isAdopted ? "adopt" : "apply")] }
            ),
        ]
        let verb = isDryRun ? "would apply" : "applied"
        let adopting = isDryRun ? "would note as there" : "noted as there"
        var lines = steps.map { "\($0.isAdopted ? adopting : verb) \($0.name)" }
        lines.append(
            steps.isEmpty
                ? "nothing to do: the schema is at migration \(plan.current)"
                : "the schema \(isDryRun ? "would be" : "is") at migration \(plan.target), in \(database)"
        )
        return TextReport(json: json, lines: lines)
    }

    private static func status(_ all: [MigrationStatus], of database: String) -> TextReport {
        let rows = all.map { status -> JSONValue in
            [
                "number": .integer(status.migration.number), "file": .string(status.migration.fileName),
                "checksum": .string(status.migration.checksum), "applied_at": JSONValue(status.applied?.appliedAt),
                "adopted": status.applied.map { .bool($0.isAdopted) } ?? .null,
            ]
        }
        let lines = all.map { status -> String in
            guard let applied = status.applied else { return "pending                " + status.migration.fileName }
            return TextLayout.padded(applied.appliedAt, to: 23) + status.migration.fileName
                + (applied.isAdopted ? " (was there before)" : "")
        }
        let pending = all.filter(\.isPending).count
        let summary = pending == 0 ? "the schema is whole" : "\(pending) pending: run knot-recommend migrate"
        return TextReport(
            json: [
                "schema": "knot.migrations/1", "database": .string(database), "pending": .integer(pending),
                "migrations": .array(rows),
            ],
            lines: lines + ["\(summary), in \(database)"]
        )
    }
}
