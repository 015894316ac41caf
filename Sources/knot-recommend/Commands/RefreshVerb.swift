/// `refresh`: the same occasion again, heeding why the last set was turned down.
enum RefreshVerb {
    static func perform(_ options: RefreshVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode
    {
        guard let refresh = context.engine.refresh else { throw .notBuilt(.refresh) }
        context.progress("choosing again")
        let report = try await refresh(options, context)
        return try await ChoiceOutcome.finish(
            report,
            options.shared,
            files: .init(record: options.output.record, trace: options.output.trace),
            explains: options.output.wantsExplanation,
            context
        )
    }
}
