extension CommandError {
    /// The command line of a verb makes no sense.
    static func usage(_ verb: VerbName, _ what: String, todo: String) -> CommandError {
        CommandError(.usage, what, at: "knot-recommend \(verb.rawValue)", todo: todo)
    }

    /// A flag of a verb that is needed and not there.
    static func missing(_ flag: FlagName, _ verb: VerbName) -> CommandError {
        usage(verb, "\(flag.typed) is missing", todo: "add \(Flag.named(flag).synopsis)")
    }

    /// The flag asks for the database, which this build does not have.
    static func noDatabase(_ flag: FlagName) -> CommandError {
        CommandError(
            .unavailable,
            "this build has no database yet",
            at: flag.typed,
            todo: "use --fixture FILE instead"
        )
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
