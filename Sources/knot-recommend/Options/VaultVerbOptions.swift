import VaultStore

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
