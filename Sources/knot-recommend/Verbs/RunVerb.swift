/// `run`: one vault, three choices.
enum RunVerb {
    static func perform(_ options: RunVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        guard let run = context.engine.run else { throw .notBuilt(.run) }
        context.progress("choosing for \(options.fixture.path)")
        let report = try await run(options, context)
        return try ChoiceOutcome.finish(
            report,
            options.shared,
            files: .init(record: options.output.record, trace: options.output.trace),
            explains: options.output.wantsExplanation,
            context
        )
    }
}
