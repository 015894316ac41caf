/// `explain`: why these three, or why not another.
enum ExplainVerb {
    static func perform(_ options: ExplainVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode
    {
        guard let explain = context.engine.explain else { throw .notBuilt(.explain) }
        context.progress("explaining")
        return try await explain(options, context).finish(context)
    }
}
