import Arguments
import ChoiceService
import ChoiceText
import Composition
import Console
import FileInput
import JSONDocument
import KnotDomain
import PostgresClient
import VaultForm
import VaultStore
import Verbs

extension Verb {
    static let vault = Verb(
        name: .vault,
        summary: "Create, list, show or edit vaults",
        actions: [
            VerbAction(
                "new",
                "Create a vault from a file, or by answering questions",
                "[--file FILE | --template]",
                uses: [
                    VerbUse("[options]", flags: [.file, .replace, .asUser, .allowWeakTLS]),
                    "--file FILE [--replace] [options]",
                    VerbUse("--template", by: .template),
                ],
                description: """
                    Without `--file`, asks questions at a terminal and checks each answer at once. Your answers stay \
                    in a private draft until the vault is stored. IDs in a file are optional. Offers in a file aren't \
                    stored; use `import` for those.
                    """,
                examples: [
                    "knot-recommend vault new # answer questions",
                    "knot-recommend vault new --template > mine.json",
                    "knot-recommend vault new --file mine.json",
                ],
                texts: [
                    .file: "Vault to create, in the form that `--template` prints; `-` reads standard input",
                    .asUser: "Owner of the vault, whose rights apply",
                    .replace: "Replace the vault with the file's ID and delete its stored sets",
                ]
            ),
            VerbAction(
                "list",
                "List vaults with their IDs",
                "[--limit N] [--after ID]",
                examples: [
                    "knot-recommend vault list",
                    "knot-recommend vault list --limit 100 --json",
                ],
                flags: [.limit, .after, .asUser, .allowWeakTLS]
            ),
            VerbAction(
                "show",
                "Show a vault with the IDs of its milestones",
                "--vault ID",
                examples: [
                    "knot-recommend vault show --vault $VAULT",
                    "knot-recommend vault show --vault $VAULT --json # as `vault edit` reads it",
                ],
                flags: [.vault, .asUser, .allowWeakTLS],
                texts: [.vault: "Vault to show (see `vault list`)"]
            ),
            VerbAction(
                "edit",
                "Change the parts of a vault that a file names",
                "--vault ID --file FILE",
                description: """
                    The file has the form that `vault show --json` prints. Whatever it doesn't name stays as it is. \
                    Use `hint` to change notes.
                    """,
                examples: [
                    "echo '{\"timezone\": \"Europe/Lisbon\"}' > moved.json",
                    "knot-recommend vault edit --vault $VAULT --file moved.json",
                ],
                flags: [.vault, .file, .asUser, .allowWeakTLS],
                texts: [
                    .file: "JSON with the changes; `-` reads standard input",
                    .vault: "Vault to edit (see `vault list`)",
                ]
            ),
        ],
        description: """
            A vault holds what you know about your partner: likes, dislikes, budgets, important dates and notes. Use \
            `hint` to change its notes and `forget` to delete it.
            """,
        examples: [
            "knot-recommend vault new # answer questions at a terminal",
            "knot-recommend vault list",
            "knot-recommend vault show --vault $VAULT",
        ],
        texts: [
            .vault: "Vault to show or edit (see `vault list`)",
            .limit: "Number of vaults to list",
            .after: "Last vault of the previous page",
        ],
        exitCodes: keeping,
        perform: VaultVerb.perform
    )
}

/// `vault new|list|show|edit`: vaults of one's own, made, looked at and changed.
enum VaultVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try VaultVerbOptions(arguments, context.settings)
        switch options.action {
        case .template:
            try context.print(VaultTemplate.json)
            return .done
        case .show(let vault): return try await show(vault, context).finish(context)
        case .list(let limit, let after):
            return try await list(options, limit: limit, after: after, context).finish(context)
        case .edit(let vault, let file): return try await edit(vault, by: file, context).finish(context)
        case .new, .ask: return try await make(options, context).finish(context)
        }
    }

    private static func show(
        _ options: StoredVaultOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let (call, vault) = try await options.open(context)
        let document = try await call.asked {
            try await VaultEditor(call.pool).show(vault, until: call.deadline)
        }
        let members = [JSONObject.Member(name: "schema", value: "knot.vault/1")] + (document.object?.members ?? [])
        return TextReport(
            json: .object(JSONObject(members)),
            lines: VaultText.lines(document, width: context.terminal.width)
        )
    }

    private static func list(
        _ options: VaultVerbOptions,
        limit: Int,
        after: PostgresUUID?,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let call = try await DatabaseCall("the vaults", asUser: options.asUser, options.shared, context)
        // One more than shown tells whether there are more.
        let found = try await call.asked {
            try await VaultEditor(call.pool).list(after: after, limit: limit + 1, until: call.deadline)
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

    private static func edit(
        _ options: StoredVaultOptions,
        by file: String,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let source = file == "-" ? "standard input" : file
        let patch = try InputFile.readJSON(file == "-" ? "/dev/stdin" : file)
        let (call, vault) = try await options.open(context)
        let names: [String]
        do throws(VaultStoreError) {
            names = try await VaultEditor(call.pool).edit(vault, by: patch, until: call.deadline)
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

    private static func make(
        _ options: VaultVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let (document, source) = try document(options, context)
        guard case .ask = options.action else {
            return try await VaultMaking.report(document, from: source, options, context)
        }
        do throws(CommandError) {
            let report = try await VaultMaking.report(document, from: source, options, context)
            var draft = VaultDraft(context.environment)
            draft.discard()
            return report
        } catch {
            throw error.keeping(VaultDraft(context.environment))
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
            var questions = VaultQuestions(
                context.environment,
                width: context.terminal.width,
                on: context.diagnostics,
                now: { MachineClock().now() }
            )
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
        case "list":
            action = .list(limit: arguments.text(.limit).flatMap { Int($0) } ?? 10, after: try Self.last(arguments))
        case "edit":
            guard let file = arguments.text(.file) else { throw .missing(.file, .vault) }
            action = .edit(try StoredVaultOptions(arguments, settings), file: file)
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
