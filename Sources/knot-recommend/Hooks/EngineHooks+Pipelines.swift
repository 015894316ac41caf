import StageGraph

extension EngineHooks {
    /// The hooks of the verbs that look at pipelines and need nothing else of the engine.
    init(pipelines desk: PipelineDesk) {
        check = { (options, _) throws(CommandError) in
            var reports: [PipelineReport] = []
            for pipeline in options.pipelines { reports.append(try desk.report(pipeline, options.shared)) }
            return reports
        }
        expand = { (options, _) throws(CommandError) in
            try desk.plan(Self.only(options), options.shared).definition
        }
        graph = { (options, _) throws(CommandError) in
            let plan = try desk.plan(Self.only(options), options.shared)
            return options.format == .dot ? PlanDrawing.dot(plan) : PlanDrawing.mermaid(plan)
        }
    }

    /// The parser lets `expand` and `graph` take one pipeline only.
    private static func only(_ options: PipelineVerbOptions) -> PipelineReference {
        options.pipelines.first ?? options.shared.pipeline
    }
}
