/// What `import` was asked to bring in.
struct ImportVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Files and folders; at least one.
    let paths: [String]
    let replaces: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        paths = arguments.operands
        replaces = arguments.has(.replace)
        guard !paths.isEmpty else {
            throw .usage(.importVaults, "there is nothing to import", todo: "name fixture files or folders of them")
        }
    }
}
