/// `replay`: the stages again on a recorded world.
enum ReplayVerb {
    static func perform(_ options: ReplayVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode
    {
        guard let replay = context.engine.replay else { throw .notBuilt(.replay) }
        context.progress("replaying \(options.cassette)")
        let report = try await replay(options, context)
        return try await ChoiceOutcome.finish(
            report,
            options.shared,
            files: .init(trace: options.trace),
            explains: false,
            context
        )
    }
}
