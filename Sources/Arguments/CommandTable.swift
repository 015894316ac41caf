package import Console

/// What the program itself is, for its help and its manual page.
package struct ProgramDescription: Sendable {
    package let name: String
    package let version: String
    /// One imperative sentence, without a full stop.
    package let purpose: String
    /// Command lines to begin with.
    package let beginnings: [Example]
    /// Variables that belong to no flag and that somebody may want to set, with what they mean.
    package let variables: KeyValuePairs<String, String>
    /// The variable that names the configuration file.
    package let configurationVariable: String
    package let exitCodeMeaning: @Sendable (ExitCode) -> String

    package init(
        name: String,
        version: String,
        purpose: String,
        beginnings: [Example],
        variables: KeyValuePairs<String, String>,
        configurationVariable: String,
        exitCodeMeaning: @escaping @Sendable (ExitCode) -> String
    ) {
        self.name = name
        self.version = version
        self.purpose = purpose
        self.beginnings = beginnings
        self.variables = variables
        self.configurationVariable = configurationVariable
        self.exitCodeMeaning = exitCodeMeaning
    }
}

/// The verbs and flags of a program: the one table that everything about its command line is made from.
package struct CommandTable: Sendable {
    package let program: ProgramDescription
    /// The verbs under the headings of the overview, in the order in which help lists them.
    package let groups: [(title: String, verbs: [VerbDefinition])]
    package let verbs: [VerbDefinition]
    package let flags: [Flag]
    private let verbsByName: [VerbName: VerbDefinition]
    private let flagsByName: [FlagName: Flag]

    package init(
        program: ProgramDescription,
        groups: [(title: String, verbs: [VerbDefinition])],
        flags: [Flag]
    ) {
        self.program = program
        self.groups = groups
        verbs = groups.flatMap(\.verbs)
        self.flags = flags
        verbsByName = Dictionary(uniqueKeysWithValues: verbs.map { ($0.name, $0) })
        flagsByName = Dictionary(uniqueKeysWithValues: flags.map { ($0.name, $0) })
    }

    package var verbNames: [VerbName] { verbs.map(\.name) }

    /// Nil for a word that is no verb.
    package func verb(typed word: String) -> VerbName? { verbsByName[VerbName(word)]?.name }

    /// Nil for a word that is no flag.
    package func flag(typed word: some StringProtocol) -> Flag? { flagsByName[FlagName(String(word))] }

    package func flag(short letter: Character) -> Flag? { flags.first { $0.short == letter } }

    /// The entry of a name that the table has.
    package func verb(_ name: VerbName) -> VerbDefinition {
        guard let verb = verbsByName[name] else { preconditionFailure("the verb \(name.rawValue) has no entry") }
        return verb
    }

    /// The entry of a name that the table has.
    package func flag(_ name: FlagName) -> Flag {
        guard let flag = flagsByName[name] else { preconditionFailure("the flag \(name.typed) has no entry") }
        return flag
    }

    package func takes(_ flag: Flag, _ verb: VerbName) -> Bool {
        flag.isOfEveryVerb || (verbsByName[verb]?.flags.contains(flag.name) ?? false)
    }

    /// The flags of a verb in table order.
    package func flags(of verb: VerbName) -> [Flag] { flags.filter { takes($0, verb) } }

    /// The flags that change something about a verb or one of its actions: those that select a use, then in table order.
    package func counting(in verb: VerbName, _ action: VerbAction? = nil) -> [Flag] {
        let calls = calls(of: self.verb(verb), action)
        let counting = flags(of: verb).filter { flag in calls.contains { $0.counts(flag) } }
        let selecting = Set(calls.compactMap(\.use.flag))
        return counting.filter { selecting.contains($0.name) } + counting.filter { !selecting.contains($0.name) }
    }

    /// The verbs that take a flag.
    package func takers(of flag: Flag) -> [VerbName] { verbNames.filter { takes(flag, $0) } }

    /// The sentence that explains a flag to a verb or an action, without a full stop; `nil` is any verb that takes it.
    package func help(_ flag: Flag, _ verb: VerbDefinition?, _ action: VerbAction? = nil) -> String {
        action?.texts[flag.name] ?? verb?.texts[flag.name] ?? flag.help
    }

    /// The usage lines of a verb, with one for each action, or of one action.
    package func usage(of verb: VerbDefinition, _ action: VerbAction? = nil) -> [String] {
        func line(_ words: String...) -> String { ([place(verb.name)] + words).joined(separator: " ") }
        if let action { return action.uses.map { line(action.name, $0.synopsis) } }
        let width = verb.actions.filter { !$0.synopsis.isEmpty }.map(\.name.count).max() ?? 0
        return verb.uses.map { line($0.synopsis) }
            + verb.actions.map { action in
                action.synopsis.isEmpty
                    ? line(action.name) : line(TextLayout.padded(action.name, to: width), action.synopsis)
            }
    }

    /// Returns every way to call a verb, or one of its actions.
    func calls(of verb: VerbDefinition, _ action: VerbAction? = nil) -> [VerbCall] {
        let actions = (action.map { [$0] } ?? verb.actions).flatMap { action in
            action.uses.map { VerbCall(verb: verb, action: action, use: $0) }
        }
        return actions + verb.uses.map { VerbCall(verb: verb, action: nil, use: $0) }
    }

    /// Where an error about a verb's command line is.
    package func place(_ verb: VerbName) -> String { "\(program.name) \(verb.rawValue)" }

    /// The command line of a verb makes no sense.
    package func usageError(_ verb: VerbName, _ what: String, todo: String) -> CommandError {
        CommandError(.usage, what, at: place(verb), todo: todo)
    }
}
