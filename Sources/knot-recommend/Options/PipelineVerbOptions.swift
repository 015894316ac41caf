/// What `check`, `expand` and `graph` were asked to look at.
struct PipelineVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// At least one; more only for `check`.
    let pipelines: [PipelineReference]
    let format: GraphFormat

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        guard arguments.operands.isEmpty || !arguments.has(.pipeline) else {
            throw .usage(
                arguments.verb,
                "the pipeline is named twice",
                todo: "name it either by --pipeline or without a flag"
            )
        }
        shared = SharedOptions(arguments, settings)
        let named = arguments.operands.map(PipelineReference.init)
        pipelines = named.isEmpty ? [shared.pipeline] : named
        format = arguments.text(.format).flatMap(GraphFormat.init(rawValue:)) ?? .mermaid
    }
}
