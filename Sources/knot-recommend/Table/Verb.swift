import Arguments
import Composition
import Console

/// One verb with what it does.
@dynamicMemberLookup
struct Verb: Sendable {
    /// What the verb does with the words of a call.
    typealias Performing = @Sendable (TypedArguments, CommandContext) async throws(CommandError) -> ExitCode
    typealias Example = VerbDefinition.Example

    let definition: VerbDefinition
    var perform: Performing

    init(
        name: VerbName,
        summary: String,
        synopsis: String = "",
        operand: Operand? = nil,
        description: String,
        examples: [Example],
        flags: [FlagName] = [],
        exitCodes: [ExitCode] = [],
        readsSettings: Bool = true,
        perform: @escaping Performing
    ) {
        definition = VerbDefinition(
            name: name,
            summary: summary,
            synopsis: synopsis,
            operand: operand,
            description: description,
            examples: examples,
            flags: flags,
            exitCodes: exitCodes,
            readsSettings: readsSettings
        )
        self.perform = perform
    }

    subscript<Value>(dynamicMember path: KeyPath<VerbDefinition, Value>) -> Value { definition[keyPath: path] }
}

extension Verb {
    /// The verbs of this build, in the order help lists them: a new verb is a file of its own and its name here.
    static let all: [Verb] = [
        .run, .refresh, .explain, .replay, .check, .expand, .graph, .judge, .evaluate, .impact,
        .vault, .hint, .history, .calendar, .plan, .rehearse, .work, .runDue, .jobs, .feedback, .learn, .embed,
        .catalogue, .providers,
        .importVaults, .export, .forget,
        .migrate, .devDatabase, .config, .doctor, .serve, .units, .completions, .version, .help,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The entry of a name; a test holds that every name has one.
    static func named(_ name: VerbName) -> Verb {
        guard let verb = byName[name] else { preconditionFailure("the verb \(name.rawValue) has no entry") }
        return verb
    }

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

extension Subject {
    static let fixture = Subject("fixture", "a fixture")
    static let vault = Subject("vault", "a vault in the database")
    static let everyVault = Subject("everyVault", "every vault")
    static let result = Subject("result", "a result in a file")
    static let storedRun = Subject("storedRun", "a stored run")
    static let recording = Subject("recording", "a recording")
    static let template = Subject("template", "the template of a vault")
    static let newVault = Subject("newVault", "a new vault")
    static let shownVault = Subject("shownVault", "a stored vault")
    static let otherVault = Subject("otherVault", "a stored vault")
    static let hints = Subject("hints", "hints")
    static let otherHints = Subject("otherHints", "hints")
    static let schema = Subject("schema", "the schema")
    static let schemaStatus = Subject("schemaStatus", "the schema's status")
    static let reset = Subject("reset", "a database that is emptied")
    static let server = Subject("server", "the dev database")
    static let overview = Subject("overview", "the overview")
    static let oneVerb = Subject("oneVerb", "one verb")
    static let script = Subject("script", "a script")
    static let offers = Subject("offers", "what a shell may offer")

    /// What the words mean; nil where they mean several things at once or nothing yet, which the verb refuses itself.
    static func of(_ arguments: TypedArguments) -> Subject? {
        func only(_ choices: [(FlagName, Subject)]) -> Subject? {
            let named = choices.filter { arguments.has($0.0) }
            return named.count == 1 ? named.first?.1 : nil
        }
        let action = arguments.operands.first
        switch arguments.verb {
        case .run: return only([(.fixture, .fixture), (.vault, .vault), (.all, .everyVault)])
        case .explain: return only([(.fixture, .fixture), (.record, .recording), (.run, .storedRun)])
        case .refresh: return arguments.has(.run) ? .storedRun : .result
        case .vault:
            switch action {
            case "new": return arguments.has(.template) ? .template : .newVault
            case "show": return .shownVault
            default: return .otherVault
            }
        case .hint: return action == "add" ? .hints : .otherHints
        case .calendar: return only([(.fixture, .fixture), (.vault, .vault)])
        case .migrate: return arguments.has(.status) ? .schemaStatus : .schema
        case .devDatabase: return action == "reset" ? .reset : .server
        case .completions: return arguments.has(.offer) ? .offers : .script
        case .help: return arguments.operands.isEmpty ? .overview : .oneVerb
        default: return nil
        }
    }
}
