import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore

/// What is done with one vault in the database besides choosing for it.
struct StoredVaultDesk: Sendable {
    private static let limit = Duration.seconds(60)

    private let pool: ConnectionPool
    private let options: StoredVaultOptions
    private let context: CommandContext
    private let budget: TimeBudget

    init(_ options: StoredVaultOptions, _ context: CommandContext) async throws(CommandError) {
        budget = TimeBudget(options.shared.deadline)
        pool = try await DatabaseDesk(context, budget).open(asUser: options.asUser)
        self.options = options
        self.context = context
    }

    /// The vault's own words for errors.
    private var place: String { options.vault.map { "vault \($0)" } ?? "--vault" }

    private func vault() throws(CommandError) -> PostgresUUID {
        guard let vault = options.vault else { throw .missing(.vault, options.verb) }
        return vault
    }

    private var deadline: ContinuousClock.Instant { budget.until(Self.limit) }

    /// The ids of some vaults, for a shell to offer.
    static func ids(_ context: CommandContext) async throws(CommandError) -> [String] {
        let pool = try await DatabaseDesk(context).open()
        do throws(VaultReadError) {
            return try await PostgresVaultSource(pool).vaultIDs(after: nil, limit: 500).map(\.text)
        } catch {
            throw CommandError(error)
        }
    }

    // MARK: Verbs

    /// `export`: the vault as a fixture, or everything of its person.
    func export() async throws(CommandError) -> JSONValue {
        let exporter = VaultExporter(pool)
        let vault = try vault()
        do throws(MovingError) {
            if options.isAll { return try await exporter.everything(vault, until: deadline) }
            return try await exporter.fixture(vault, until: deadline)
        } catch {
            throw CommandError(error, input: place)
        }
    }

    /// `forget`: the vault, all that hangs on it, and the files about it that this program wrote.
    ///
    /// Where it was stopped in between, the next call goes on: rows first, then files, which stay listed until they are gone.
    func forget() async throws(CommandError) -> TextReport {
        var forgotten: ForgottenVault?
        let vault = try vault()
        let written = WrittenFiles(context.environment)
        FailPoint.reach("forget_begun")
        do throws(MovingError) {
            forgotten = try await VaultForgetter(pool).forget(vault, dryRun: options.isDryRun, until: deadline)
        } catch {
            guard error.code == .notThere, try written.knows(vault.description) else {
                throw CommandError(error, input: place)
            }
        }
        FailPoint.reach("forget_deleted")
        let files = try await written.forget(vault.description, isDryRun: options.isDryRun)
        let verb = options.isDryRun ? "would remove" : "removed"
        var lines = [
            forgotten == nil
                ? "vault \(vault) was gone; \(verb) what was left of it" : "\(verb) vault \(vault) and with it"
        ]
        let removals = forgotten?.removals ?? []
        lines += removals.map { "  \($0.count) of \($0.table)" }
        func named(_ paths: [String]) -> [String] { paths.map { TerminalText.safe($0, limit: 1_000) } }
        lines += named(files.removed).map { "  the file \($0)" }
        lines += named(files.left).map { "left alone, for it is about something else now: \($0)" }
        lines += named(files.awaited).map { "still being written by another process, so forget it again: \($0)" }
        if files.removed.isEmpty { lines.append("no recording or trace of it was written here") }
        return TextReport(
            json: [
                "schema": "knot.forgotten/1", "vault_id": .string(vault.description),
                "user_id": JSONValue(forgotten?.user.description), "dry_run": .bool(options.isDryRun),
                "rows": .object(JSONObject(removals.map { .init(name: $0.table, value: .integer($0.count)) })),
                "files": JSONValue(files.removed), "left": JSONValue(files.left), "awaited": JSONValue(files.awaited),
            ],
            lines: lines,
            exitCode: files.awaited.isEmpty ? .done : .tryAgain
        )
    }

    /// `learn`: weights from feedback, of one vault or of every one.
    func learn() async throws(CommandError) -> TextReport {
        let store = LearnStore(pool)
        let asOf = options.asOf ?? MachineClock().now()
        guard let vault = options.vault else { return try await learnAll(store, asOf: asOf) }
        let found: LearnOutcome?
        do throws(VaultReadError) {
            found = try await store.learn(vault, asOf: asOf, until: deadline)
        } catch {
            throw CommandError(error)
        }
        guard let found else { throw .noVault(vault.description) }
        return LearnText.report(found)
    }

    private func learnAll(_ store: LearnStore, asOf: Instant) async throws(CommandError) -> TextReport {
        var counts: [LearnOutcome.Change: Int] = [:]
        var failures: [(vault: String, error: CommandError)] = []
        do throws(PostgresError) {
            _ = try await store.learnAll(asOf: asOf, within: options.shared.deadline ?? .seconds(30)) {
                ending,
                vault in
                switch ending {
                case .success(let outcome): counts[outcome.change, default: 0] += 1
                case .failure(let error): failures.append((vault.description, CommandError(error)))
                }
                context.progress("learned from \(counts.values.reduce(0, +)) vaults")
            }
        } catch {
            throw CommandError(error)
        }
        return LearnText.report(counts, failures)
    }

    /// `vault show`.
    func show() async throws(CommandError) -> TextReport {
        let vault = try vault()
        do throws(MovingError) {
            let document = try await VaultKeeper(pool).show(vault, until: deadline)
            let members = [JSONObject.Member(name: "schema", value: "knot.vault/1")] + (document.object?.members ?? [])
            return TextReport(
                json: .object(JSONObject(members)),
                lines: VaultText.lines(document, width: context.terminal.width)
            )
        } catch {
            throw CommandError(error, input: place)
        }
    }

    /// `hint add`: each text as a hint of its own, all of them or none.
    func add(_ texts: [String]) async throws(CommandError) -> TextReport {
        let vault = try vault()
        let added: AddedHints
        do throws(MovingError) {
            added = try await VaultKeeper(pool).addHints(
                texts,
                request: options.request ?? "",
                to: vault,
                at: options.asOf ?? MachineClock().now(),
                until: deadline
            )
        } catch {
            throw CommandError(error, input: place)
        }
        var lines = ["\(added.newCount) hint\(added.newCount == 1 ? "" : "s") added to vault \(vault)"]
        let known = added.ids.count - added.newCount
        if known > 0 { lines.append("\(known) \(known == 1 ? "was" : "were") there already") }
        return TextReport(
            json: [
                "schema": "knot.hints/1", "vault_id": .string(vault.description),
                "hint_ids": JSONValue(added.ids.map(\.description)), "added": .integer(added.newCount),
            ],
            lines: lines
        )
    }
}

/// What `export`, `forget`, `history`, `learn`, `embed`, `vault` and `hint` were asked, each with what it takes.
struct StoredVaultOptions: Sendable, Equatable {
    let shared: SharedOptions
    let verb: VerbName
    /// Nil only where the verb can do without.
    let vault: PostgresUUID?
    let asUser: String?
    let isAll: Bool
    var isDryRun: Bool
    /// Whether the vault may be deleted without asking.
    let isConfirmed: Bool
    /// How many rows a list has.
    let limit: Int
    let after: PostgresUUID?
    let asOf: Instant?
    /// What `hint add` is asked under: the same words under the same request are one hint.
    let request: String?
    /// A file of candidates whose vectors are made too.
    let catalogue: String?
    /// Nothing is embedded but what tells what the model's cosines mean.
    let calibrates: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        verb = arguments.verb
        isAll = arguments.has(.all)
        vault = try Self.id(arguments, .vault)
        after = try Self.id(arguments, .after)
        asUser = arguments.text(.asUser)
        isDryRun = arguments.has(.dryRun)
        request = arguments.text(.request)
        isConfirmed = arguments.has(.yes)
        limit = arguments.text(.limit).flatMap { Int($0) } ?? 10
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
        catalogue = verb == .embed ? settings.text(.catalogue) : nil
        calibrates = arguments.has(.calibrate)
        if calibrates, vault != nil || isAll || arguments.has(.catalogue) {
            throw .usage(verb, "--calibrate looks at the model alone", todo: "leave out --vault, --all and --catalogue")
        }
        // `learn --all` and `embed --all` mean every vault; everywhere else one is meant.
        switch (verb, vault, isAll) {
        case (.embed, nil, false) where catalogue != nil || calibrates: break
        case (.learn, .some, true), (.embed, .some, true):
            throw .usage(verb, "--vault and --all exclude one another", todo: "give one of them")
        case (.learn, nil, true), (.embed, nil, true), (_, .some, _): break
        case (.learn, nil, false), (.embed, nil, false):
            throw .usage(verb, "there is no vault to \(verb.rawValue)", todo: "add --vault ID or --all")
        case (_, nil, _): throw .missing(.vault, verb)
        }
    }

    /// An id of another form names nothing that a database holds.
    private static func id(_ arguments: TypedArguments, _ flag: FlagName) throws(CommandError) -> PostgresUUID? {
        guard let text = arguments.text(flag) else { return nil }
        guard let id = PostgresUUID(text) else {
            if flag == .vault { throw .noVault(text) }
            throw CommandError(
                .notFound,
                "\(text) is no run's id",
                at: flag.typed,
                todo: "knot-recommend history names them"
            )
        }
        return id
    }
}

/// `export`: JSON in any case, since it is made to be read in again.
enum ExportVerb {
    static func perform(
        _ options: StoredVaultOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let export = context.engine.export else { throw .notBuilt(.export) }
        try context.print(try await export(options, context))
        return .done
    }
}
