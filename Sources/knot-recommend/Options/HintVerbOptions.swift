/// What `hint` was asked to do.
struct HintVerbOptions: Sendable, Equatable {
    static let actions = ["add"]

    let vault: StoredVaultOptions
    /// Nil: asked for on a terminal, else one from each line of standard input.
    let text: String?

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        guard arguments.operands.first == "add" else {
            throw .usage(.hint, "there is nothing to do with hints", todo: "say hint add")
        }
        vault = try StoredVaultOptions(arguments, settings)
        text = arguments.text(.text)
    }
}
