/// Every verb whose answer is one report: it does what was asked and prints the form that was asked for.
enum ReportVerb {
    static func perform<Options>(
        _ hook: EngineHooks.Hook<Options, TextReport>?,
        _ options: Options,
        _ verb: VerbName,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let hook else { throw .notBuilt(verb) }
        return try await hook(options, context).finish(context)
    }
}
