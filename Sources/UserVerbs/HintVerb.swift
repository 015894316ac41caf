import Arguments
import ChoiceService
import Composition
import Console
import FileInput
import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let hint = Verb(
        name: .hint,
        summary: "Add, list, edit or remove notes about your partner",
        actions: [
            VerbAction(
                "add",
                "Add notes about your partner to a vault",
                "--vault ID [--text TEXT]",
                description: """
                    Without `--text`, reads one note per line from standard input, or asks for one at a terminal. \
                    Either all notes are added or none. A note that is already there isn't added again.
                    """,
                examples: [
                    "knot-recommend hint add --vault $VAULT --text \"keeps borrowing my scarf\"",
                    "knot-recommend hint add --vault $VAULT < notes.txt # one note per line",
                ],
                flags: [.text, .request, .asOf]
            ),
            VerbAction(
                "list",
                "List a vault's notes with their IDs",
                "--vault ID",
                examples: ["knot-recommend hint list --vault $VAULT"]
            ),
            VerbAction(
                "edit",
                "Change the text of a note",
                "--vault ID --hint ID --text TEXT",
                examples: ["knot-recommend hint edit --vault $VAULT --hint $HINT --text \"lost a glove\""],
                flags: [.hint, .text],
                texts: [
                    .text: "New text of the note",
                    .hint: "Note to edit (see `hint list`)",
                ]
            ),
            VerbAction(
                "remove",
                "Delete a note",
                "--vault ID --hint ID",
                examples: ["knot-recommend hint remove --vault $VAULT --hint $HINT"],
                flags: [.hint],
                texts: [.hint: "Note to delete (see `hint list`)"]
            ),
        ],
        examples: [
            "knot-recommend hint add --vault $VAULT --text \"keeps borrowing my scarf\"",
            "knot-recommend hint add --vault $VAULT < notes.txt # one note per line",
            "knot-recommend hint list --vault $VAULT",
        ],
        flags: [.vault, .asUser, .allowWeakTLS],
        texts: [
            .vault: "Vault that holds the notes (see `vault list`)",
            .request: "Name of this request; the same text is added once per name",
            .asOf: "Time of the note, such as `2026-03-01T09:00:00Z`",
        ],
        exitCodes: keeping,
        perform: HintVerb.perform
    )
}

/// `hint add|list|edit|remove`: what somebody noticed, into their vault and out of it.
enum HintVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try HintVerbOptions(arguments, context.settings)
        let report: TextReport
        switch options.action {
        case .add(let text): report = try await add(try texts(text, context), options.vault, context)
        case .list: report = try await list(options.vault, context)
        case .edit(let hint, let text): report = try await change(hint, to: text, options.vault, context)
        case .remove(let hint): report = try await change(hint, to: nil, options.vault, context)
        }
        return try report.finish(context)
    }

    /// Each text as a hint of its own, all of them or none.
    private static func add(
        _ texts: [String],
        _ options: StoredVaultOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        guard !texts.isEmpty else {
            throw .usage(
                .hint,
                "there is no hint to add",
                todo: "give --text TEXT, or one hint a line on standard input"
            )
        }
        let (call, vault) = try await options.open(context)
        let added = try await call.asked {
            try await VaultEditor(call.pool).addHints(
                texts,
                request: options.request ?? "",
                to: vault,
                at: options.asOf ?? MachineClock().now(),
                until: call.deadline
            )
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

    private static func list(
        _ options: StoredVaultOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let (call, vault) = try await options.open(context)
        let (timeZone, hints) = try await call.asked {
            try await VaultEditor(call.pool).hints(of: vault, until: call.deadline)
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

    /// Another text; none removes the hint.
    private static func change(
        _ hint: PostgresUUID,
        to text: String?,
        _ options: StoredVaultOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        let (call, vault) = try await options.open(context)
        let editor = VaultEditor(call.pool)
        try await call.asked {
            if let text { return try await editor.edit(hint: hint, of: vault, to: text, until: call.deadline) }
            try await editor.remove(hint: hint, of: vault, until: call.deadline)
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

    private static func texts(_ given: String?, _ context: CommandContext) throws(CommandError) -> [String] {
        if let given { return [given] }
        if StandardInput.isTerminal {
            try context.diagnostics.write("What did you notice? ")
            return StandardInput.line().map { [$0] }?.filter { !$0.isEmpty } ?? []
        }
        let text = try Self.text(of: try StandardInput.read())
        return text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains { !$0.isWhitespace } }
    }

    /// What was sent as a text, without the mark that some editors begin a file with; a note that was changed on the way
    /// is another note.
    private static func text(of bytes: [UInt8]) throws(CommandError) -> String {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let odd = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw CommandError(
            .badInput,
            "line \(odd + 1) is not UTF-8: \(OddText.written(Array(lines[odd].prefix(80))))",
            at: "standard input",
            todo: "write the hints in UTF-8; none was added"
        )
    }
}

/// What `hint` was asked to do.
struct HintVerbOptions: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        /// Nil: asked for on a terminal, else one from each line of standard input.
        case add(text: String?)
        case list
        case edit(PostgresUUID, text: String)
        case remove(PostgresUUID)
    }

    static let actions = ["add", "list", "edit", "remove"]

    let vault: StoredVaultOptions
    let action: Action

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        let action = arguments.operands.first ?? ""
        guard Self.actions.contains(action) else {
            throw .usage(
                .hint,
                "there is nothing to do with hints",
                todo: "name one of \(Self.actions.joined(separator: ", "))"
            )
        }
        vault = try StoredVaultOptions(arguments, settings)
        let text = arguments.text(.text)
        switch action {
        case "add": self.action = .add(text: text)
        case "list": self.action = .list
        case "remove": self.action = .remove(try Self.hint(arguments))
        default:
            guard let text else { throw .missing(.text, .hint) }
            self.action = .edit(try Self.hint(arguments), text: text)
        }
    }

    private static func hint(_ arguments: TypedArguments) throws(CommandError) -> PostgresUUID {
        guard let text = arguments.text(.hint) else { throw .missing(.hint, .hint) }
        guard let id = PostgresUUID(text) else {
            throw CommandError(
                .notFound,
                "\(text) is no hint's id",
                at: FlagName.hint.typed,
                todo: "knot-recommend hint list names them"
            )
        }
        return id
    }
}
