import VaultStore

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
