package import Console

/// One verb: the single entry that the parser, help, completions and the README's table are made from.
package struct VerbDefinition: Sendable {
    /// A command line and what it is for.
    package struct Example: Sendable, Equatable {
        package let purpose: String
        package let command: String

        package init(purpose: String, command: String) {
            self.purpose = purpose
            self.command = command
        }
    }

    package let name: VerbName
    /// One line, without a full stop.
    package let summary: String
    /// What follows the verb in the synopsis, its operand excepted.
    package let synopsis: String
    package let operand: Operand?
    package let description: String
    package let examples: [Example]
    /// The flags that it takes besides those of every verb.
    package let flags: [FlagName]
    /// Besides those that every verb can give.
    package let exitCodes: [ExitCode]
    /// Whether the environment and the configuration file matter to it.
    package let readsSettings: Bool

    package init(
        name: VerbName,
        summary: String,
        synopsis: String = "",
        operand: Operand? = nil,
        description: String,
        examples: [Example] = [],
        flags: [FlagName] = [],
        exitCodes: [ExitCode] = [],
        readsSettings: Bool = true
    ) {
        self.name = name
        self.summary = summary
        self.synopsis = synopsis
        self.operand = operand
        self.description = description
        self.examples = examples
        self.flags = flags
        self.exitCodes = exitCodes
        self.readsSettings = readsSettings
    }

    /// All codes it can give, in order.
    package var allExitCodes: [ExitCode] {
        let common: [ExitCode] = [.done, .usage, .inputOutput, .interrupted, .terminated]
        let settings: [ExitCode] = readsSettings ? [.notFound, .notPermitted, .configuration] : []
        return Set(common + settings + exitCodes).sorted { $0.rawValue < $1.rawValue }
    }
}

/// What is typed to call a verb.
package struct VerbName: Sendable, Hashable {
    package let rawValue: String

    package init(_ word: String) {
        rawValue = word
    }
}

extension VerbName {
    // Those that the parser itself understands.
    package static let help = VerbName("help")
    package static let version = VerbName("version")
}

/// What the program itself is, for its help and its manual page.
package struct ProgramDescription: Sendable {
    package let name: String
    package let version: String
    /// What it does, as it follows the name, without a full stop.
    package let purpose: String
    /// Command lines to begin with.
    package let beginnings: [String]
    /// Variables that belong to no flag and that somebody may want to set, with what they mean.
    package let variables: KeyValuePairs<String, String>
    /// The variable that names the configuration file.
    package let configurationVariable: String
    package let exitCodeMeaning: @Sendable (ExitCode) -> String

    package init(
        name: String,
        version: String,
        purpose: String,
        beginnings: [String],
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
    /// In the order help lists them.
    package let verbs: [VerbDefinition]
    package let flags: [Flag]
    private let verbsByName: [VerbName: VerbDefinition]
    private let flagsByName: [FlagName: Flag]

    package init(program: ProgramDescription, verbs: [VerbDefinition], flags: [Flag]) {
        self.program = program
        self.verbs = verbs
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

    /// The flags that say something about a verb, in table order: what help and completions offer.
    package func counting(in verb: VerbName) -> [Flag] { flags(of: verb).filter { $0.counts(in: verb, on: nil) } }

    /// The verbs that take a flag.
    package func takers(of flag: Flag) -> [VerbName] { verbNames.filter { takes(flag, $0) } }

    /// `knot-recommend run --fixture FILE [flags]`.
    package func usage(of verb: VerbDefinition) -> String {
        let operand = verb.operand.map { $0.isOfFlag ? "" : $0.synopsis } ?? ""
        return [place(verb.name), operand, verb.synopsis, "[flags]"].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Where an error about a verb's command line is.
    package func place(_ verb: VerbName) -> String { "\(program.name) \(verb.rawValue)" }

    /// The command line of a verb makes no sense.
    package func usageError(_ verb: VerbName, _ what: String, todo: String) -> CommandError {
        CommandError(.usage, what, at: place(verb), todo: todo)
    }
}
