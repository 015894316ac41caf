/// One verb: the single entry that the parser, help, completions and the README's table are made from.
struct Verb: Sendable, Equatable {
    /// A command line and what it is for.
    struct Example: Sendable, Equatable {
        let purpose: String
        let command: String
    }

    let name: VerbName
    /// One line, without a full stop.
    let summary: String
    /// What follows the verb in the synopsis, its operand excepted.
    var synopsis: String = ""
    var operand: Operand?
    let description: String
    let examples: [Example]
    /// Besides those that every verb can give.
    var exitCodes: [ExitCode] = []
    /// Whether the environment and the configuration file matter to it.
    var readsSettings = true

    /// `knot-recommend run --fixture FILE [flags]`.
    var usage: String {
        // The synopsis of an operand that belongs to a flag says so itself.
        ["knot-recommend \(name.rawValue)", name == .history ? "" : operand?.synopsis ?? "", synopsis, "[flags]"]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// All codes it can give, in order.
    var allExitCodes: [ExitCode] {
        let common: [ExitCode] = [.done, .usage, .inputOutput, .interrupted, .terminated]
        let settings: [ExitCode] = readsSettings ? [.notFound, .notPermitted, .configuration] : []
        return Set(common + settings + exitCodes).sorted { $0.rawValue < $1.rawValue }
    }
}

extension Verb {
    /// In the order of `VerbName`.
    static let all = ofTheEngine + ofPipelines + ofEvaluation + ofTheDatabase + ofSupport

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The entry of a name; a test holds that every name has one.
    static func named(_ name: VerbName) -> Verb {
        guard let verb = byName[name] else { preconditionFailure("the verb \(name.rawValue) has no entry") }
        return verb
    }
}

/// The verbs of this build, in the order help lists them.
enum VerbName: String, Sendable, CaseIterable {
    case run
    case refresh
    case explain
    case replay
    case check
    case expand
    case graph
    case judge
    case evaluate
    case vault
    case hint
    case history
    case feedback
    case learn
    case embed
    case importVaults = "import"
    case export
    case forget
    case migrate
    case devDatabase = "dev-db"
    case config
    case doctor
    case completions
    case version
    case help

    /// Every verb except these.
    static func all(but others: [VerbName]) -> [VerbName] { allCases.filter { !others.contains($0) } }
}

/// What a call is about, for verbs that can be about several things: not every flag says something about each of them.
enum Subject: String, Sendable, CaseIterable {
    case fixture
    case vault
    case everyVault
    case result
    case storedRun
    case recording
    case template
    case newVault
    case shownVault
    case otherVault
    case hints
    case otherHints
    case schema
    case schemaStatus
    case reset
    case server
    case overview
    case oneVerb
    case script
    case offers

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
        case .migrate: return arguments.has(.status) ? .schemaStatus : .schema
        case .devDatabase: return action == "reset" ? .reset : .server
        case .completions: return arguments.has(.offer) ? .offers : .script
        case .help: return arguments.operands.isEmpty ? .overview : .oneVerb
        default: return nil
        }
    }

    /// The subject as an error names it.
    var words: String {
        switch self {
        case .fixture: "a fixture"
        case .vault: "a vault in the database"
        case .everyVault: "every vault"
        case .result: "a result in a file"
        case .storedRun: "a stored run"
        case .recording: "a recording"
        case .template: "the template of a vault"
        case .newVault: "a new vault"
        case .shownVault, .otherVault: "a stored vault"
        case .hints, .otherHints: "hints"
        case .schema: "the schema"
        case .schemaStatus: "the schema's status"
        case .reset: "a database that is emptied"
        case .server: "the dev database"
        case .overview: "the overview"
        case .oneVerb: "one verb"
        case .script: "a script"
        case .offers: "what a shell may offer"
        }
    }
}
