import Arguments
package import ChoiceService
package import Console
package import LocalPostgres
import Migrations
package import PostgresClient
import StageGraph
import VaultStore

/// Finds and opens the database of a command: `DATABASE_URL` or the file that `DATABASE_URL_FILE` names, else libpq's
/// `PG*`, else the dev database where it runs.
package struct CommandDatabase: Sendable {
    /// What opening and looking at the schema may take together.
    private static let openingLimit = Duration.seconds(30)

    /// Variables that mean that somebody has set a database up; libpq reads them itself.
    package static let connectionVariables = ["PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE"]

    private let environment: Environment
    private let files: CallFiles?
    private let allowsWeakTLS: Bool
    private let budget: TimeBudget
    private let waiting: @Sendable (WaitReport) -> Void

    package init(_ context: CommandContext, _ budget: TimeBudget? = nil) {
        environment = context.environment
        files = context.files
        allowsWeakTLS = context.settings.isOn(.allowWeakTLS)
        self.budget = budget ?? TimeBudget(context.settings.text(.deadline).flatMap(DurationText.parse))
        waiting = { context.note($0.description) }
    }

    /// The dev database of this environment, running or not.
    package func devDatabase() throws(CommandError) -> DevDatabase {
        try reporting { try DevDatabase(environment: environment.all) }
    }

    /// Which database to connect to, or why there is none; an input that is missing is told before that.
    package func target() async throws(CommandError) -> ConnectionTarget {
        try files?.checkPlaces()
        guard let target = try await configuredTarget() else {
            throw CommandError(
                .unavailable,
                "there is no database",
                at: "DATABASE_URL",
                todo: "set DATABASE_URL or PG* variables, or run: knot-recommend dev-db start"
            )
        }
        return target
    }

    /// Nil where nobody has set a database up and the dev database does not run.
    package func configuredTarget() async throws(CommandError) -> ConnectionTarget? {
        var url = environment["DATABASE_URL"].flatMap { $0.isEmpty ? nil : $0 }
        if url == nil { url = try urlInFile() }
        if url == nil, !Self.connectionVariables.contains(where: { environment[$0].map { !$0.isEmpty } ?? false }) {
            guard let running = try await runningDevDatabase() else { return nil }
            url = running
        }
        return try reporting { try ConnectionTarget(url: url, allowsWeakTLS: allowsWeakTLS) }
    }

    /// The URL, or pairs with spaces between them, as a secret in a file, with or without a line's end; nil where no file is
    /// named.
    private func urlInFile() throws(CommandError) -> String? {
        guard let path = environment["DATABASE_URL_FILE"], !path.isEmpty else { return nil }
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let bytes = try InputFile.read(path)
        // Editors of other systems begin a file with a mark of the byte order.
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let lines = bytes.dropFirst(start).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            .filter { !$0.allSatisfy(isSpace) }
        var line = lines.first?.drop(while: isSpace) ?? []
        while line.last.map(isSpace) == true { line.removeLast() }
        // Bytes that are no text would be another password.
        guard lines.count == 1, line.count <= 4_096, let text = String(validating: line, as: UTF8.self) else {
            throw CommandError(
                .configuration,
                "the file does not hold one line with a URL",
                at: "DATABASE_URL_FILE",
                todo: "write DATABASE_URL's value into it, in UTF-8"
            )
        }
        return text
    }

    private func runningDevDatabase() async throws(CommandError) -> String? {
        do throws(LocalServerError) {
            guard case .running(let running) = try await DevDatabase(environment: environment.all).status() else {
                return nil
            }
            return running.url
        } catch {
            // A folder that cannot be looked at holds no database for this command; `dev-db status` says why.
            return nil
        }
    }

    /// One connection, whatever the schema: for what makes the schema.
    ///
    /// Patiently, a server that starts again is waited for.
    package func connect(patiently: Bool = false) async throws(CommandError) -> PostgresConnection {
        let target = try await target()
        let (deadline, isShort) = opening
        var pause = Duration.milliseconds(50)
        while true {
            do throws(PostgresError) {
                return try await PostgresConnection.connect(to: target, until: deadline, waiting: waiting)
            } catch {
                guard patiently, error.isTransient, ContinuousClock.now + pause < deadline else {
                    throw Self.failure(error, by: deadline, isShort)
                }
            }
            // A cancelled sleep ends in the next attempt, which refuses to begin.
            do { try await ContinuousClock().sleep(for: pause) } catch { pause = .zero }
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// Until when the database is opened, and whether the caller's own time ends before that is given up.
    private var opening: (deadline: ContinuousClock.Instant, isShort: Bool) {
        let limit = budget.limit(Self.openingLimit)
        return (.now + limit, limit < Self.openingLimit)
    }

    /// A server that the caller gave too little time to answer may be there.
    private static func failure(
        _ error: PostgresError,
        by deadline: ContinuousClock.Instant,
        _ isShort: Bool
    ) -> CommandError {
        let failure = CommandError(error)
        guard isShort, error.code == .unreachable, ContinuousClock.now >= deadline else { return failure }
        return CommandError(
            .tryAgain,
            "the database did not answer in the time that there was",
            at: failure.place,
            todo: "try again, or allow more with --deadline"
        )
    }

    /// A pool on a database that has the very schema of this binary; with a person, everything that goes through it has
    /// that person's rights and no others.
    package func open(
        asUser user: String? = nil,
        _ settings: PoolSettings = PoolSettings(limit: 1)
    ) async throws(CommandError) -> ConnectionPool {
        let identity = try Self.identity(user)
        let pool = ConnectionPool(
            to: try await target(),
            settings,
            as: identity,
            waiting: waiting
        )
        let (deadline, isShort) = opening
        let verdict: Result<Void, MigrationError>
        do throws(PostgresError) {
            verdict = try await pool.withConnection(until: deadline) { connection in
                do throws(MigrationError) {
                    return .success(try await SchemaCheck.verify(connection.forMigrations(until: deadline)))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw Self.failure(error, by: deadline, isShort)
        }
        if case .failure(let error) = verdict {
            let failure = CommandError(error, in: pool.target.description)
            guard user != nil, failure.code == .notPermitted else { throw failure }
            throw CommandError(.notPermitted, failure.what, at: failure.place, todo: PostgresError.actingTodo)
        }
        return pool
    }

    package static func identity(_ user: String?) throws(CommandError) -> ActingIdentity {
        guard let user else { return .connection }
        return try reporting { try ActingIdentity(asUser: user) }
    }
}

/// The database as one call uses it: opened, with the time that the call has, and the place that its errors name.
package struct DatabaseCall: Sendable {
    private static let limit = Duration.seconds(60)

    package let pool: ConnectionPool
    private let place: String
    private let budget: TimeBudget

    package init(
        _ place: String,
        asUser user: String?,
        _ shared: SharedOptions,
        _ context: CommandContext
    ) async throws(CommandError) {
        self.place = place
        budget = TimeBudget(shared.deadline)
        pool = try await CommandDatabase(context, budget).open(asUser: user)
    }

    package var deadline: ContinuousClock.Instant { budget.until(Self.limit) }

    /// Does what the store does; its refusals name the place.
    package func asked<Value: Sendable>(
        at place: String? = nil,
        _ body: () async throws -> Value
    ) async throws(CommandError) -> Value {
        try await reporting(about: place ?? self.place, body)
    }
}
