import JSONDocument

/// `vault new|list|show|edit`: vaults of one's own, made, looked at and changed.
enum VaultVerb {
    static func perform(_ options: VaultVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        switch options.action {
        case .template:
            try context.print(VaultTemplate.json)
            return .done
        case .show(let vault):
            return try await ReportVerb.perform(context.engine.showVault, vault, .vault, context)
        case .list: return try await ReportVerb.perform(context.engine.listVaults, options, .vault, context)
        case .edit(let vault, let file):
            let source = file == "-" ? "standard input" : file
            let change = try InputFile.readJSON(file == "-" ? "/dev/stdin" : file)
            return try await ReportVerb.perform(context.engine.editVault, (vault, change, source), .vault, context)
        case .new, .ask:
            let (document, source) = try document(options, context)
            guard let make = context.engine.newVault else { throw .notBuilt(.vault) }
            let report: TextReport
            do throws(CommandError) {
                report = try await make((document, source, options), context)
            } catch {
                guard case .ask = options.action else { throw error }
                throw error.keeping(VaultDraft(context.environment))
            }
            if case .ask = options.action {
                var draft = VaultDraft(context.environment)
                draft.discard()
            }
            return try report.finish(context)
        }
    }

    private static func document(
        _ options: VaultVerbOptions,
        _ context: CommandContext
    ) throws(CommandError) -> (JSONValue, String) {
        switch options.action {
        case .new(let file): return (try InputFile.readJSON(file), InputFile.name(of: file))
        default:
            guard StandardInput.isTerminal else {
                throw .usage(
                    .vault,
                    "there is nobody to ask",
                    todo: "give --file FILE; --template prints one to fill in"
                )
            }
            var questions = VaultQuestions(context)
            return (try questions.ask(), "your answers")
        }
    }
}

extension CommandError {
    /// The same error, which says where the answers are that it did not take.
    fileprivate func keeping(_ draft: VaultDraft) -> CommandError {
        guard !draft.isEmpty, let path = draft.path else { return self }
        let kept = "your answers are kept in \(path), and vault new goes on with them"
        return CommandError(
            code,
            what,
            at: place,
            todo: todo.isEmpty ? kept : "\(todo); \(kept)",
            problems: problems
        )
    }
}
