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
    }

    static let actions = ["new", "show"]

    let shared: SharedOptions
    let action: Action
    let asUser: String?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        asUser = arguments.text(.asUser)
        switch arguments.operands.first {
        case "show": action = .show(try StoredVaultOptions(arguments, settings))
        case "new" where arguments.has(.vault):
            throw .usage(.vault, "a new vault has no id yet", todo: "leave out --vault")
        case "new" where arguments.has(.template): action = .template
        case "new": action = arguments.text(.file).map { .new(file: $0) } ?? .ask
        default:
            throw .usage(.vault, "there is nothing to do with a vault", todo: "name one of new, show")
        }
    }
}
