/// `expand`: the merged definition.
enum ExpandVerb {
    static func perform(
        _ options: PipelineVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let expand = context.engine.expand else { throw .notBuilt(.expand) }
        // A definition is JSON already: for people and for programs it is the same.
        try context.print(await expand(options, context))
        return .done
    }
}
