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
