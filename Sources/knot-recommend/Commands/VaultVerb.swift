import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore

/// `vault new|list|show|edit`: vaults of one's own, made, looked at and changed.
enum VaultVerb {
    static func perform(_ options: VaultVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        switch options.action {
        case .template:
            try context.print(VaultTemplate.json)
            return .done
        case .show(let vault):
            return try await ReportVerb.perform(context.engine.showVault, vault, .vault, context)
        case .list: return try await ReportVerb.perform(context.engine.listVaults, options, .vault, context)
        case .edit(let vault, let file):
            let source = file == "-" ? "standard input" : file
            let change = try InputFile.readJSON(file == "-" ? "/dev/stdin" : file)
            return try await ReportVerb.perform(context.engine.editVault, (vault, change, source), .vault, context)
        case .new, .ask:
            let (document, source) = try document(options, context)
            guard let make = context.engine.newVault else { throw .notBuilt(.vault) }
            let report: TextReport
            do throws(CommandError) {
                report = try await make((document, source, options), context)
            } catch {
                guard case .ask = options.action else { throw error }
                throw error.keeping(VaultDraft(context.environment))
            }
            if case .ask = options.action {
                var draft = VaultDraft(context.environment)
                draft.discard()
            }
            return try report.finish(context)
        }
    }

    private static func document(
        _ options: VaultVerbOptions,
        _ context: CommandContext
    ) throws(CommandError) -> (JSONValue, String) {
        switch options.action {
        case .new(let file): return (try InputFile.readJSON(file), InputFile.name(of: file))
        default:
            guard StandardInput.isTerminal else {
                throw .usage(
                    .vault,
                    "there is nobody to ask",
                    todo: "give --file FILE; --template prints one to fill in"
                )
            }
            var questions = VaultQuestions(context)
            return (try questions.ask(), "your answers")
        }
    }
}

extension CommandError {
    /// The same error, which says where the answers are that it did not take.
    fileprivate func keeping(_ draft: VaultDraft) -> CommandError {
        guard !draft.isEmpty, let path = draft.path else { return self }
        let kept = "your answers are kept in \(path), and vault new goes on with them"
        return CommandError(
            code,
            what,
            at: place,
            todo: todo.isEmpty ? kept : "\(todo); \(kept)",
            problems: problems
        )
    }
}

/// What `vault` was asked to do.
struct VaultVerbOptions: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        /// Prints a vault to fill in.
        case template
        /// Reads a vault from a file, `-` being standard input.
        case new(file: String)
        /// Asks for it.
        case ask
        case show(StoredVaultOptions)
        /// A page of all.
        case list(limit: Int, after: PostgresUUID?)
        /// Takes what to change from a file, `-` being standard input.
        case edit(StoredVaultOptions, file: String)
    }

    static let actions = ["new", "list", "show", "edit"]

    let shared: SharedOptions
    let action: Action
    let asUser: String?
    /// Whether a vault that is there under the same id goes first.
    let replaces: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        asUser = arguments.text(.asUser)
        replaces = arguments.has(.replace)
        switch arguments.operands.first {
        case "show" where replaces, "list" where replaces, "edit" where replaces:
            throw .usage(.vault, "--replace makes a vault anew and nothing else", todo: "leave out --replace")
        case "list" where arguments.has(.vault):
            throw .usage(.vault, "vault list is about no single vault", todo: "leave out --vault")
        case "list":
            action = .list(limit: arguments.text(.limit).flatMap { Int($0) } ?? 10, after: try Self.last(arguments))
        case "edit":
            guard let file = arguments.text(.file) else { throw .missing(.file, .vault) }
            action = .edit(try StoredVaultOptions(arguments, settings), file: file)
        case "new" where arguments.has(.vault):
            throw .usage(.vault, "a new vault has no id yet", todo: "leave out --vault")
        case "new" where replaces && arguments.text(.file) == nil:
            throw .usage(.vault, "--replace is for a vault in a file, which has its id", todo: "add --file FILE")
        case "show": action = .show(try StoredVaultOptions(arguments, settings))
        case "new" where arguments.has(.template): action = .template
        case "new": action = arguments.text(.file).map { .new(file: $0) } ?? .ask
        default:
            throw .usage(
                .vault,
                "there is nothing to do with a vault",
                todo: "name one of \(Self.actions.joined(separator: ", "))"
            )
        }
    }

    private static func last(_ arguments: TypedArguments) throws(CommandError) -> PostgresUUID? {
        guard let text = arguments.text(.after) else { return nil }
        guard let id = PostgresUUID(text) else { throw .noVault(text) }
        return id
    }
}

/// `vault new`: stores a vault that a person wrote down or was asked for.
enum VaultMaking {
    static func report(
        _ document: JSONValue,
        from source: String,
        _ options: VaultVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        _ = try DatabaseDesk.identity(options.asUser)
        let new = try read(document, from: source, options)
        if document["vault"]?.object != nil, document["candidates"]?.array?.isEmpty == false {
            context.note("the file's candidates are not taken by vault new; import brings them as well")
        }
        let budget = TimeBudget(options.shared.deadline)
        let pool = try await DatabaseDesk(context, budget).open(asUser: options.asUser)
        let id: PostgresUUID
        do throws(MovingError) {
            id = try await VaultKeeper(pool).create(
                new,
                replaces: options.replaces,
                until: budget.until(.seconds(30))
            )
        } catch {
            throw CommandError(error, input: source)
        }
        return TextReport(
            json: [
                "schema": "knot.new-vault/1", "vault_id": .string(id.description),
                "user_id": .string(new.vault.userID.text), "hints": .integer(new.vault.hints.count),
            ],
            lines: [
                "vault \(id)", "add what you notice: knot-recommend hint add --vault \(id)",
                "and choose from a file of candidates: knot-recommend run --vault \(id) --catalogue FILE",
            ]
        )
    }

    /// Checked before the database is opened: what is wrong with the file needs no server to say so.
    private static func read(
        _ document: JSONValue,
        from source: String,
        _ options: VaultVerbOptions
    ) throws(CommandError) -> NewVault {
        let strange = VaultChecks.problems(in: document)
        do throws(MovingError) {
            let new = try NewVault(reading: document, user: options.asUser.map { UserID($0) })
            if strange.isEmpty { return new }
            throw Self.invalid(strange)
        } catch {
            // A name that is no name at all is told once.
            let other = error.problems.filter { problem in !strange.contains { $0.path == problem.path } }
            guard error.code == .invalid, !other.isEmpty else { throw CommandError(error, input: source) }
            throw CommandError(strange.isEmpty ? error : Self.invalid(strange + other), input: source)
        }
    }

    private static func invalid(_ problems: [JSONProblem]) -> MovingError {
        let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
        return MovingError(.invalid, "the vault has \(count)", problems: problems)
    }
}

/// A vault to fill in: every field, with the words that may stand in it.
enum VaultTemplate {
    static var json: JSONValue {
        func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> String where Word.RawValue == String {
            type.allCases.map(\.rawValue).joined(separator: ", ")
        }
        func budget(_ low: Int, _ high: Int) -> JSONValue {
            ["min_cents": .integer(low), "max_cents": .integer(high), "currency": "USD"]
        }
        return [
            "schema": "knot.fixture/1",
            "how_to": [
                "Fill in what is empty, then: knot-recommend vault new --file THIS_FILE",
                .string("likes and dislikes: five each; these are known best: \(words(KnownInterest.self))"),
                .string("vibes: one to eight of \(words(Vibe.self))"),
                .string("love_languages: two of \(words(LoveLanguage.self))"),
                .string("cohabitation_status: null or one of \(words(Cohabitation.self))"),
                "budgets: whole cents, whatever the currency calls them",
                "milestones: type birthday, anniversary, holiday or custom; a yearly date has the year 2000",
                "hints: what you noticed, in your own words; created_at is when",
            ],
            "vault": [
                "partner_name": "", "relationship_tenure_months": .null, "cohabitation_status": .null,
                "location": ["city": "", "state": .null, "country": "US"], "timezone": "America/New_York",
                "likes": ["", "", "", "", ""], "dislikes": ["", "", "", "", ""], "vibes": [""],
                "budgets": [
                    "just_because": budget(1_500, 4_000), "minor_occasion": budget(4_000, 9_000),
                    "major_milestone": budget(12_000, 30_000),
                ],
                "love_languages": ["primary": "quality_time", "secondary": "receiving_gifts"],
                "milestones": [
                    ["type": "birthday", "name": "Birthday", "date": "2000-01-31", "recurrence": "yearly"]
                ],
                "hints": [["text": "", "source": "text_input", "created_at": "2026-01-01T12:00:00Z"]],
                "history": [],
            ],
        ]
    }
}
