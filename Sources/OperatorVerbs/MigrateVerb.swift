import Arguments
import ChoiceService
import Composition
import Console
import JSONDocument
import Migrations
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let migrate = Verb(
        name: .migrate,
        summary: "Create or update the database schema",
        uses: [
            VerbUse("[--dry-run] [--to N] [options]", flags: [.to, .dryRun]),
            VerbUse("--status [options]", by: .status),
        ],
        description: """
            Each migration runs in its own transaction, and two commands at once are safe. A migration that changed \
            after it was applied is refused. Existing app tables are adopted if they match migrations 1 to 12; if one \
            differs, nothing is changed. The database is DATABASE_URL, else the one in the PG* variables, else the \
            dev database. It must be PostgreSQL 16 with pgvector 0.7, or later.
            """,
        examples: [
            "knot-recommend migrate --dry-run",
            "knot-recommend migrate",
        ],
        flags: [.allowWeakTLS],
        texts: [.dryRun: "Show what would be applied, but change nothing"],
        exitCodes: reaching,
        perform: MigrateVerb.perform
    )
}

/// `migrate`: brings the schema up to this binary, or tells how it stands.
enum MigrateVerb {
    private static let attempts = 4
    /// A large table's index takes its time.
    private static let limit = Duration.seconds(3_600)

    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        try await report(MigrateVerbOptions(arguments, context.settings), context).finish(context)
    }

    private static func report(
        _ options: MigrateVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let budget = TimeBudget(options.shared.deadline)
        let server = CommandDatabase(context, budget)
        let connection = try await server.connect()
        let database = connection.target.description
        let deadline = budget.until(limit)
        if options.wantsStatus || options.isDryRun {
            let migrator = Migrator(connection.forMigrations(until: deadline), engineVersion: ProgramVersion.number)
            return try await reporting(about: database) {
                for note in try await migrator.notes() { context.note(note) }
                if options.wantsStatus { return status(try await migrator.status(), of: database) }
                return done(try await migrator.migrate(to: options.target, dryRun: true), of: database, isDryRun: true)
            }
        }
        return done(
            try await migrate(server, connection, options, until: deadline, context),
            of: database,
            isDryRun: false
        )
    }

    /// Applies what is missing; a connection that is lost on the way is replaced, and the history tells how far it came.
    private static func migrate(
        _ server: CommandDatabase,
        _ first: PostgresConnection,
        _ options: MigrateVerbOptions,
        until deadline: ContinuousClock.Instant,
        _ context: CommandContext
    ) async throws(CommandError) -> MigrationPlan {
        var connection = first
        var whole: MigrationPlan?
        var attempt = 1
        while true {
            let migrator = Migrator(connection.forMigrations(until: deadline), engineVersion: ProgramVersion.number)
            do throws(MigrationError) {
                let plan = try await migrator.plan(to: options.target)
                let first = whole ?? plan
                whole = first
                let rest = try await migrator.migrate(to: options.target) { step in
                    context.progress("applied \(step.migration.fileName)")
                }
                // What was under way when a connection broke, and need not be done any more, was committed.
                for note in try await migrator.notes() { context.note(note) }
                let before = first.steps.filter { !plan.steps.contains($0) }
                return MigrationPlan(steps: before + rest.steps, current: first.current, target: plan.target)
            } catch {
                guard error.code == .unavailable, attempt < attempts else {
                    throw CommandError(error, in: connection.target.description)
                }
            }
            attempt += 1
            connection = try await server.connect(patiently: true)
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

/// What `migrate` was asked to do.
struct MigrateVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Nil: all there are.
    let target: Int?
    let isDryRun: Bool
    let wantsStatus: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) {
        shared = SharedOptions(arguments, settings)
        target = arguments.text(.to).flatMap { Int($0) }
        isDryRun = arguments.has(.dryRun)
        wantsStatus = arguments.has(.status)
    }
}
