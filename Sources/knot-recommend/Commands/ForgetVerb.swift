import Glibc
import PostgresClient

/// `forget`: says what will go, asks, and lets it go.
enum ForgetVerb {
    static func perform(
        _ options: StoredVaultOptions,
        _ context: CommandContext,
        _ question: DeletionQuestion = DeletionQuestion()
    ) async throws(CommandError) -> ExitCode {
        guard let forget = context.engine.forget else { throw .notBuilt(.forget) }
        if !options.isDryRun, !options.isConfirmed {
            let vault = options.vault?.description ?? ""
            try question.require(
                .forget,
                "vault \(vault) would be deleted with everything about it",
                todo: "; --dry-run lists what would go"
            )
            var trial = options
            trial.isDryRun = true
            try question.ask(try await forget(trial, context).lines, "Delete all of it, for good?", context)
        }
        return try await forget(options, context).finish(context)
    }
}

/// Asks before something is deleted that cannot be brought back.
struct DeletionQuestion {
    /// Whether somebody sits there who sees the question and can answer it.
    let canAsk: Bool
    private let readLine: () -> String?

    init(
        canAsk: Bool = StandardInput.isTerminal && isatty(2) == 1,
        readLine: @escaping () -> String? = StandardInput.line
    ) {
        self.canAsk = canAsk
        self.readLine = readLine
    }

    /// Throws where nobody can be asked, before anything is looked at.
    func require(_ verb: VerbName, _ what: String, todo: String = "") throws(CommandError) {
        guard !canAsk else { return }
        throw .usage(verb, "\(what), and nobody can be asked", todo: "add --yes to do it" + todo)
    }

    /// Says what will go and waits for a yes; anything else leaves all as it is.
    func ask(_ lines: [String], _ question: String, _ context: CommandContext) throws(CommandError) {
        ProgressLine.shared.erase()
        try context.diagnostics.write(lines.map { $0 + "\n" }.joined() + "\(question) Type yes: ")
        let answer = readLine().map { TerminalText.safe($0, limit: 20).lowercased() }
        guard answer == "yes" || answer == "y" else {
            throw CommandError(
                .notPermitted,
                "nothing was deleted",
                at: "your answer",
                todo: "answer yes, or give --yes, to delete it"
            )
        }
    }
}
