package import Verbs

extension Verb {
    /// Choices, vaults and notes, and what helps with the program.
    package static let ofUsers: [Verb] = [
        .run, .refresh, .explain, .history, .feedback, .learn,
        .vault, .hint, .forget, .calendar,
        .config, .completions, .version, .help,
    ]
}
