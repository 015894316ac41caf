import JSONDocument

/// `graph`: the drawing of a pipeline.
enum GraphVerb {
    static func perform(
        _ options: PipelineVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let graph = context.engine.graph else { throw .notBuilt(.graph) }
        let text = try await graph(options, context)
        if context.isJSON {
            try context.print([
                "schema": "knot.graph/1", "format": .string(options.format.rawValue), "text": .string(text),
            ])
        } else {
            try context.output.write(text.hasSuffix("\n") ? text : text + "\n")
        }
        return .done
    }
}
