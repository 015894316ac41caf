/// What `dev-db` was asked to do.
struct DevDatabaseVerbOptions: Sendable, Equatable {
    enum Action: String, Sendable, CaseIterable {
        case start
        case stop
        case status
        case url
        case reset
    }

    let shared: SharedOptions
    let action: Action
    /// Whether data may be deleted without asking.
    let isConfirmed: Bool

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        guard let action = arguments.operands.first.flatMap(Action.init) else {
            throw .usage(
                .devDatabase,
                "there is nothing to do with the database",
                todo: "name one of \(Action.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        self.action = action
        isConfirmed = arguments.has(.yes)
    }
}
