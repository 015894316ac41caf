import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore

/// What people do with their own vaults beyond making them: lists and changes of vaults and hints, and what became of a
/// choice.
struct OwnVaultDesk: Sendable {
    private static let limit = Duration.seconds(60)

    private let pool: ConnectionPool
    private let context: CommandContext
    private let budget: TimeBudget

    init(asUser user: String?, _ shared: SharedOptions, _ context: CommandContext) async throws(CommandError) {
        budget = TimeBudget(shared.deadline)
        pool = try await DatabaseDesk(context, budget).open(asUser: user)
        self.context = context
    }

    private var deadline: ContinuousClock.Instant { budget.until(Self.limit) }

    /// Does what the store does, its refusals told with their place.
    private func asked<Value: Sendable>(
        _ place: String,
        _ body: () async throws(MovingError) -> Value
    ) async throws(CommandError) -> Value {
        do throws(MovingError) {
            return try await body()
        } catch {
            throw CommandError(error, input: place)
        }
    }

    // MARK: Vaults

    /// `vault list`.
    func vaults(limit: Int, after: PostgresUUID?) async throws(CommandError) -> TextReport {
        // One more than shown tells whether there are more.
        let found = try await asked("the vaults") { () async throws(MovingError) in
            try await VaultKeeper(pool).list(after: after, limit: limit + 1, until: deadline)
        }
        let shown = found.prefix(limit)
        let next = found.count > limit ? shown.last?.id.description : nil
        var lines = shown.map { vault in
            let counts = "\(vault.hints) hints, \(vault.milestones) milestones, \(vault.sets) sets"
            return "\(vault.id)  \(TerminalText.safe(vault.partnerName, limit: 60)): \(counts)"
        }
        if lines.isEmpty { lines = [after == nil ? "there is no vault" : "there is no vault after that one"] }
        if let next { lines.append("more with --after \(next)") }
        return TextReport(
            json: [
                "schema": "knot.vault-list/1", "vaults": .array(shown.map(\.json)), "next": JSONValue(next),
            ],
            lines: lines
        )
    }

    /// `vault edit`.
    func edit(_ vault: PostgresUUID, by patch: JSONValue, from source: String) async throws(CommandError) -> TextReport
    {
        let names: [String]
        do throws(MovingError) {
            names = try await VaultKeeper(pool).edit(vault, by: patch, until: deadline)
        } catch {
            throw CommandError(error, input: error.code == .invalid ? source : "vault \(vault)")
        }
        let line =
            names.isEmpty ? "nothing changed: the vault says the same" : "changed " + names.joined(separator: ", ")
        return TextReport(
            json: [
                "schema": "knot.vault-edit/1", "vault_id": .string(vault.description), "changed": JSONValue(names),
            ],
            lines: [line]
        )
    }

    // MARK: Hints

    /// `hint list`.
    func hints(of vault: PostgresUUID) async throws(CommandError) -> TextReport {
        let (timeZone, hints) = try await asked("vault \(vault)") { () async throws(MovingError) in
            try await VaultKeeper(pool).hints(of: vault, until: deadline)
        }
        // The day is that of the vault's zone, as cards and `vault show` name it.
        let zone = ZoneDirectory().rules(named: timeZone) ?? .utc
        let width = max(20, context.terminal.width - 12)
        var lines = hints.flatMap { hint -> [String] in
            let day = hint.createdAt.map { zone.localDate(at: $0).description } ?? "?"
            let text = TextLayout.wrapped(TerminalText.safe(hint.text + (hint.isUsed ? " (used)" : "")), to: width)
            return ["\(TextLayout.padded(day, to: 12))\(hint.id)"] + text.map { String(repeating: " ", count: 12) + $0 }
        }
        if lines.isEmpty { lines = ["there are no hints yet"] }
        return TextReport(
            json: [
                "schema": "knot.hint-list/1", "vault_id": .string(vault.description),
                "hints": .array(hints.map(\.json)),
            ],
            lines: lines
        )
    }

    /// `hint edit` with a text, `hint remove` without one.
    func change(hint: PostgresUUID, of vault: PostgresUUID, to text: String?) async throws(CommandError) -> TextReport {
        let keeper = VaultKeeper(pool)
        try await asked("vault \(vault)") { () async throws(MovingError) in
            if let text { return try await keeper.edit(hint: hint, of: vault, to: text, until: deadline) }
            try await keeper.remove(hint: hint, of: vault, until: deadline)
        }
        let done = text == nil ? "removed" : "changed"
        return TextReport(
            json: [
                "schema": "knot.hint-change/1", "vault_id": .string(vault.description),
                "hint_id": .string(hint.description), "change": .string(done),
            ],
            lines: ["hint \(hint) \(done)"]
        )
    }

    // MARK: Feedback

    /// `feedback`.
    func note(_ options: FeedbackVerbOptions) async throws(CommandError) -> TextReport {
        let receipt = try await asked("run \(options.run), position \(options.position)") {
            () async throws(MovingError) in
            try await FeedbackStore(pool).give(
                options.word,
                run: options.run,
                position: options.position,
                request: options.request,
                at: options.asOf ?? MachineClock().now(),
                until: deadline
            )
        }
        let title = TerminalText.safe(receipt.title, limit: 100)
        let feedback = options.word.feedback
        return TextReport(
            json: [
                "schema": "knot.feedback/1", "feedback_id": .string(receipt.id.description),
                "vault_id": .string(receipt.vault.description), "run_id": .string(options.run.description),
                "position": .integer(options.position), "title": .string(receipt.title),
                "feedback": .string(options.word.rawValue), "action": .string(feedback.action.rawValue),
                "rating": JSONValue(feedback.rating), "new": .bool(receipt.isNew),
            ],
            lines: [
                receipt.isNew
                    ? "noted: \(options.word.rawValue), \(title)" : "noted before: \(options.word.rawValue), \(title)",
                "knot-recommend learn --vault \(receipt.vault) learns from it",
            ]
        )
    }
}

/// What `feedback` was told, and of which choice.
struct FeedbackVerbOptions: Sendable, Equatable {
    static let words = ChoiceFeedback.allCases.map(\.rawValue)

    let shared: SharedOptions
    let word: ChoiceFeedback
    let run: PostgresUUID
    let position: Int
    /// Nil: the word itself is the request.
    let request: String?
    let asUser: String?
    let asOf: Instant?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        guard let word = arguments.operands.first.flatMap(ChoiceFeedback.init(rawValue:)) else {
            throw .usage(
                .feedback,
                "there is nothing to note",
                todo: "say one of \(Self.words.joined(separator: ", "))"
            )
        }
        self.word = word
        guard let text = arguments.text(.run) else { throw .missing(.run, .feedback) }
        guard let run = PostgresUUID(text) else { throw .noRun(text) }
        self.run = run
        guard let position = arguments.text(.position).flatMap({ Int($0) }) else {
            throw .missing(.position, .feedback)
        }
        self.position = position
        request = arguments.text(.request)
        asUser = arguments.text(.asUser)
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
    }
}
