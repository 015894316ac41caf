import Arguments
import Composition
import Console

/// One verb with what it does.
@dynamicMemberLookup
struct Verb: Sendable {
    /// What the verb does with the words of a call.
    typealias Performing = @Sendable (TypedArguments, CommandContext) async throws(CommandError) -> ExitCode

    let definition: VerbDefinition
    var perform: Performing

    init(
        name: VerbName,
        summary: String,
        uses: [VerbUse] = ["[options]"],
        actions: [VerbAction] = [],
        operand: Operand? = nil,
        description: String = "",
        examples: [Example],
        flags: [FlagName] = [],
        texts: [FlagName: String] = [:],
        exitCodes: [ExitCode] = [],
        readsSettings: Bool = true,
        perform: @escaping Performing
    ) {
        definition = VerbDefinition(
            name: name,
            summary: summary,
            uses: uses,
            actions: actions,
            operand: operand,
            description: description,
            examples: examples,
            flags: flags,
            texts: texts,
            exitCodes: exitCodes,
            readsSettings: readsSettings
        )
        self.perform = perform
    }

    subscript<Value>(dynamicMember path: KeyPath<VerbDefinition, Value>) -> Value { definition[keyPath: path] }
}

extension Verb {
    /// The verbs of this build under the headings of the overview: a new verb is a file of its own and its name here.
    static let groups: KeyValuePairs<String, [Verb]> = [
        "Choose": [.run, .refresh, .explain, .history, .feedback, .learn],
        "Vaults": [.vault, .hint, .importVaults, .export, .forget],
        "Reminders": [.calendar, .plan, .rehearse, .work, .runDue, .jobs, .serve, .units],
        "Offers and services": [.catalogue, .embed, .providers],
        "Database": [.migrate, .devDatabase],
        "Pipelines and measuring": [.check, .expand, .graph, .replay, .judge, .evaluate, .impact],
        "This program": [.config, .doctor, .completions, .version, .help],
    ]

    static let all = groups.flatMap(\.value)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The entry of a name; a test holds that every name has one.
    static func named(_ name: VerbName) -> Verb {
        guard let verb = byName[name] else { preconditionFailure("the verb \(name.rawValue) has no entry") }
        return verb
    }

    // MARK: Flags that several uses have

    /// A run for one vault.
    static let ofOneVault: [FlagName] = [
        .milestone, .record, .trace, .explain, .cards, .recordTraffic, .playTraffic, .planOnly,
    ]
    /// A run for vaults in the database.
    static let ofStoredVaults: [FlagName] = [.dryRun, .request, .asUser, .catalogue, .allowWeakTLS]

    // MARK: Exit codes that several verbs have

    /// Of what asks a database.
    static let reaching: [ExitCode] = [.unavailable, .tryAgain, .internalFault]
    /// Of what also reads what a person wrote.
    static let keeping = reaching + [.badInput]
    /// Of what makes choices or explains them.
    static let running: [ExitCode] = [
        .degradedUnderStrict, .short, .badInput, .notFound, .unavailable, .internalFault, .tryAgain, .notPermitted,
    ]
}

extension VerbName {
    static let allCases = Verb.all.map(\.name)

    /// Every verb except these.
    static func all(but others: [VerbName]) -> [VerbName] { allCases.filter { !others.contains($0) } }
}

extension CommandError {
    /// A flag of a verb that is needed and not there.
    static func missing(_ flag: FlagName, _ verb: VerbName) -> CommandError {
        usage(verb, "\(flag.typed) is missing", todo: "add \(Flag.named(flag).synopsis(in: verb))")
    }
}
