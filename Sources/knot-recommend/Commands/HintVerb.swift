import FileInput
import PostgresClient

/// `hint add|list|edit|remove`: what somebody noticed, into their vault and out of it.
enum HintVerb {
    static func perform(_ options: HintVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        let given: String?
        switch options.action {
        case .add(let text): given = text
        case .list: return try await ReportVerb.perform(context.engine.listHints, options.vault, .hint, context)
        case .edit(let hint, let text):
            return try await ReportVerb.perform(context.engine.changeHint, (options.vault, hint, text), .hint, context)
        case .remove(let hint):
            return try await ReportVerb.perform(context.engine.changeHint, (options.vault, hint, nil), .hint, context)
        }
        guard let add = context.engine.addHints else { throw .notBuilt(.hint) }
        let texts = try texts(given, context)
        guard !texts.isEmpty else {
            throw .usage(
                .hint,
                "there is no hint to add",
                todo: "give --text TEXT, or one hint a line on standard input"
            )
        }
        return try await add((options.vault, texts), context).finish(context)
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
        if text != nil, action == "list" || action == "remove" {
            throw .usage(.hint, "hint \(action) takes no text", todo: "leave out --text")
        }
        if arguments.has(.hint), action == "add" || action == "list" {
            throw .usage(.hint, "hint \(action) is about no single hint", todo: "leave out --hint")
        }
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
