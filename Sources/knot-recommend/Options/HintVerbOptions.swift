import VaultStore

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
