import VaultStore

/// What `history` was asked to show: the sets of a vault, one of them, or two held against each other.
struct HistoryVerbOptions: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        /// A page of a vault's sets, newest first, those after one of them.
        case list(PostgresUUID, after: PostgresUUID?, limit: Int)
        case one(PostgresUUID)
        case two(PostgresUUID, PostgresUUID)
    }

    let shared: SharedOptions
    let subject: Subject
    /// The vault that the named runs must be of; nil: any that may be read.
    let vault: PostgresUUID?
    let asUser: String?
    let format: TableFormat

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        format = try TableFormat(arguments)
        asUser = arguments.text(.asUser)
        if let text = arguments.text(.vault) {
            guard let id = PostgresUUID(text) else { throw .noVault(text) }
            vault = id
        } else {
            vault = nil
        }
        let todo = "name the second run after it: history --diff A B"
        switch (arguments.text(.run), arguments.text(.diff)) {
        case (_?, _?): throw .usage(.history, "--run and --diff exclude one another", todo: "give one of them")
        case (let run?, nil):
            try Self.refuse([.limit, .after], arguments, "one run")
            subject = .one(try Self.run(run))
        case (nil, let first?):
            try Self.refuse([.limit, .after], arguments, "two runs")
            guard let second = arguments.operands.first else {
                throw .usage(.history, "there is only one run to compare", todo: todo)
            }
            subject = .two(try Self.run(first), try Self.run(second))
        case (nil, nil):
            guard let vault else { throw .missing(.vault, .history) }
            let limit = arguments.text(.limit).flatMap { Int($0) } ?? 10
            subject = .list(vault, after: try arguments.text(.after).map(Self.run), limit: limit)
        }
        guard arguments.operands.isEmpty || arguments.has(.diff) else {
            throw .usage(.history, "unexpected word \(arguments.operands[0])", todo: "show one set with --run ID")
        }
    }

    private static func run(_ text: String) throws(CommandError) -> PostgresUUID {
        guard let id = PostgresUUID(text) else { throw .noRun(text) }
        return id
    }

    private static func refuse(
        _ flags: [FlagName],
        _ arguments: TypedArguments,
        _ what: String
    ) throws(CommandError) {
        guard let flag = flags.first(where: arguments.has) else { return }
        throw .usage(.history, "\(flag.typed) is for the list and not for \(what)", todo: "leave it out")
    }
}
