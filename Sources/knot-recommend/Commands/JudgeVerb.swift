/// `judge`: the figures of the judged vaults.
enum JudgeVerb {
    static func perform(_ options: JudgeVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        guard let judge = context.engine.judge else { throw .notBuilt(.judge) }
        context.progress("judging \(options.fixtures)")
        return try await judge(options, context).finish(context, as: options.format)
    }
}
