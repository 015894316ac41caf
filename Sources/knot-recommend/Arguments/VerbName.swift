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
