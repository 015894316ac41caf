package import Arguments
package import Composition
package import Console
package import KnotDomain
package import PostgresClient

/// What `export`, `forget`, `history`, `learn`, `embed`, `vault` and `hint` were asked, each with what it takes.
package struct StoredVaultOptions: Sendable, Equatable {
    package let shared: SharedOptions
    package let verb: VerbName
    /// Nil only where the verb can do without.
    package let vault: PostgresUUID?
    package let asUser: String?
    package let isAll: Bool
    package var isDryRun: Bool
    /// Whether the vault may be deleted without asking.
    package let isConfirmed: Bool
    /// How many rows a list has.
    package let limit: Int
    package let after: PostgresUUID?
    package let asOf: Instant?
    /// What `hint add` is asked under: the same words under the same request are one hint.
    package let request: String?
    /// A file of candidates whose vectors are made too.
    package let catalogue: String?
    /// Nothing is embedded but what tells what the model's cosines mean.
    package let calibrates: Bool

    package init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        verb = arguments.verb
        isAll = arguments.has(.all)
        vault = try Self.id(arguments, .vault)
        after = try Self.id(arguments, .after)
        asUser = arguments.text(.asUser)
        isDryRun = arguments.has(.dryRun)
        request = arguments.text(.request)
        isConfirmed = arguments.has(.yes)
        limit = arguments.text(.limit).flatMap { Int($0) } ?? 10
        asOf = arguments.text(.asOf).flatMap { Instant(iso8601: $0) }
        catalogue = verb == .embed ? settings.text(.catalogue) : nil
        calibrates = arguments.has(.calibrate)
        if calibrates, vault != nil || isAll || arguments.has(.catalogue) {
            throw .usage(verb, "--calibrate looks at the model alone", todo: "leave out --vault, --all and --catalogue")
        }
        // `learn --all` and `embed --all` mean every vault; everywhere else one is meant.
        switch (verb, vault, isAll) {
        case (.embed, nil, false) where catalogue != nil || calibrates: break
        case (.learn, .some, true), (.embed, .some, true):
            throw .usage(verb, "--vault and --all exclude one another", todo: "give one of them")
        case (.learn, nil, true), (.embed, nil, true), (_, .some, _): break
        case (.learn, nil, false), (.embed, nil, false):
            throw .usage(verb, "there is no vault to \(verb.rawValue)", todo: "add --vault ID or --all")
        case (_, nil, _): throw .missing(.vault, verb)
        }
    }

    /// The database for the one vault that is meant.
    package func open(_ context: CommandContext) async throws(CommandError) -> (call: DatabaseCall, vault: PostgresUUID)
    {
        guard let vault else { throw .missing(.vault, verb) }
        return (try await DatabaseCall("vault \(vault)", asUser: asUser, shared, context), vault)
    }

    /// An id of another form names nothing that a database holds.
    package static func id(_ arguments: TypedArguments, _ flag: FlagName) throws(CommandError) -> PostgresUUID? {
        guard let text = arguments.text(flag) else { return nil }
        guard let id = PostgresUUID(text) else {
            if flag == .vault { throw .noVault(text) }
            throw CommandError(
                .notFound,
                "\(text) is no run's id",
                at: flag.typed,
                todo: "knot-recommend history names them"
            )
        }
        return id
    }
}
