import KnotDomain

extension CommandError {
    /// The command line of a verb makes no sense.
    static func usage(_ verb: VerbName, _ what: String, todo: String) -> CommandError {
        CommandError(.usage, what, at: "knot-recommend \(verb.rawValue)", todo: todo)
    }

    /// A flag of a verb that is needed and not there.
    static func missing(_ flag: FlagName, _ verb: VerbName) -> CommandError {
        usage(verb, "\(flag.typed) is missing", todo: "add \(Flag.named(flag).synopsis(in: verb))")
    }

    /// The milestone asked for is not in the vault.
    static func noMilestone(_ id: MilestoneID, todo: String) -> CommandError {
        CommandError(.notFound, "the vault has no milestone \(id)", at: "--milestone", todo: todo)
    }

    /// The vault asked for is not in the database, or is another person's.
    static func noVault(_ id: String) -> CommandError {
        CommandError(
            .notFound,
            "there is no vault \(id)",
            at: "--vault",
            todo: "check the id, and --as-user where it is given"
        )
    }

    /// The run asked for is not in the database, or is another person's.
    static func noRun(_ id: String) -> CommandError {
        CommandError(.notFound, "there is no stored run \(id)", at: "--run", todo: "knot-recommend history names them")
    }

    /// The verb is known, but the part of the engine behind it is not in this build.
    static func notBuilt(_ verb: VerbName) -> CommandError {
        CommandError(
            .unavailable,
            "this build cannot do it yet",
            at: "knot-recommend \(verb.rawValue)",
            todo: "use a build that has the engine"
        )
    }
}
