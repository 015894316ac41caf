import Arguments
import Composition
import Console
import JSONDocument
import LocalPostgres
import Verbs

extension Verb {
    static let devDatabase = Verb(
        name: .devDatabase,
        summary: "Run a private PostgreSQL server with pgvector",
        actions: [
            VerbAction(
                "start",
                "Start the dev database, and create it the first time",
                description: "If root starts it, the server runs as an unprivileged user.",
                examples: [
                    "knot-recommend dev-db start",
                    "knot-recommend migrate # then create its tables",
                ]
            ),
            VerbAction("stop", "Stop the dev database and keep its data", examples: ["knot-recommend dev-db stop"]),
            VerbAction(
                "status",
                "Show whether the dev database is running",
                description: "Exits with 69 if it isn't running.",
                examples: ["knot-recommend dev-db status"]
            ),
            VerbAction(
                "url",
                "Print the URL of the running dev database",
                examples: ["psql \"$(knot-recommend dev-db url)\""]
            ),
            VerbAction(
                "reset",
                "Delete everything in the dev database and start an empty one",
                "[--yes]",
                description: "Asks first at a terminal.",
                examples: ["knot-recommend dev-db reset"],
                flags: [.yes]
            ),
        ],
        description: """
            Commands use it unless DATABASE_URL or the PG* variables name another database. It listens on a Unix \
            socket only; no other server is touched. Its folder is KNOT_DEV_DB, or `knot-recommend/dev-db` in your \
            data folder (for root, in /var/lib).
            """,
        examples: [
            "knot-recommend dev-db start",
            "knot-recommend migrate # then create its tables",
            "psql \"$(knot-recommend dev-db url)\"",
        ],
        exitCodes: reaching,
        perform: DevDatabaseVerb.perform
    )
}

/// `dev-db`: the database of a person who has none.
enum DevDatabaseVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        try await report(try DevDatabaseVerbOptions(arguments, context.settings), context).finish(context)
    }

    private static func report(
        _ options: DevDatabaseVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let isAsking = options.action == .reset && !options.isConfirmed
        let question = DeletionQuestion()
        if isAsking { try question.require(.devDatabase, "everything in the dev database would be deleted") }
        let database = try CommandDatabase(context).devDatabase()
        if isAsking {
            let what = "everything in the dev database in \(database.folder) will be deleted"
            try question.ask([what], "Delete all of it, for good?", context)
        }
        return try await reporting {
            switch options.action {
            case .start:
                let before = try await database.status()
                context.progress(before == .absent ? "making a database" : "starting the database")
                let running = try await database.start()
                let wasRunning = if case .running = before { true } else { false }
                return self.running(running, wasRunning ? "runs already" : "runs")
            case .stop:
                context.progress("stopping the database")
                let hasStopped = try await database.stop()
                return TextReport(
                    json: ["schema": schema, "state": "stopped", "changed": .bool(hasStopped)],
                    lines: [hasStopped ? "the dev database is stopped" : "the dev database did not run"]
                )
            case .status:
                return status(try await database.status())
            case .url:
                let url = try await database.url()
                return TextReport(json: ["schema": schema, "state": "running", "url": .string(url)], lines: [url])
            case .reset:
                context.progress("making the database anew")
                return running(try await database.reset(), "is empty now and runs")
            }
        }
    }

    private static let schema: JSONValue = "knot.dev-db/1"

    private static func status(_ status: LocalServer.Status) -> TextReport {
        switch status {
        case .running(let running): return self.running(running, "runs")
        case .stopped:
            return TextReport(
                json: ["schema": schema, "state": "stopped"],
                lines: ["the dev database is stopped; start it with: knot-recommend dev-db start"],
                exitCode: .unavailable
            )
        case .absent:
            return TextReport(
                json: ["schema": schema, "state": "absent"],
                lines: ["there is no dev database; make it with: knot-recommend dev-db start"],
                exitCode: .unavailable
            )
        }
    }

    private static func running(_ server: RunningServer, _ how: String) -> TextReport {
        TextReport(
            json: [
                "schema": schema, "state": "running", "url": .string(server.url), "pid": .integer(Int(server.pid)),
                "major_version": .integer(server.majorVersion), "folder": .string(server.folder),
            ],
            lines: [
                "the dev database \(how): PostgreSQL \(server.majorVersion) in \(server.folder)",
                "commands without a DATABASE_URL use it; for others: \(server.url)",
            ]
        )
    }
}

/// What `dev-db` was asked to do.
struct DevDatabaseVerbOptions: Sendable, Equatable {
    enum Action: String, Sendable, CaseIterable {
        case start
        case stop
        case status
        case url
        case reset
    }

    let shared: SharedOptions
    let action: Action
    /// Whether data may be deleted without asking.
    let isConfirmed: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        guard let action = arguments.operands.first.flatMap(Action.init) else {
            throw .usage(
                .devDatabase,
                "there is nothing to do with the database",
                todo: "name one of \(Action.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        self.action = action
        isConfirmed = arguments.has(.yes)
    }
}
