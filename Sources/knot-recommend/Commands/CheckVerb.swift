import JSONDocument
import StageGraph

/// `check`: every problem of pipeline files.
enum CheckVerb {
    static func perform(
        _ options: PipelineVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let check = context.engine.check else { throw .notBuilt(.check) }
        let reports = try await check(options, context)
        let problems = reports.flatMap(\.problems)
        guard problems.isEmpty else {
            let names = reports.filter { !$0.problems.isEmpty }.map(\.name).joined(separator: ", ")
            throw CommandError(
                .configuration,
                "\(problems.count) problem\(problems.count == 1 ? "" : "s") in the pipeline",
                at: names,
                todo: "repair the file",
                problems: problems
            )
        }
        if context.isJSON {
            try context.print(["schema": "knot.check/1", "pipelines": .array(reports.map(\.json))])
        } else {
            try context.print(reports.flatMap(lines))
        }
        return .done
    }

    private static func lines(_ report: PipelineReport) -> [String] {
        let hash = report.hash.map { " (\($0.prefix(12)))" } ?? ""
        let head = "\(TerminalText.safe(report.name, limit: 200)): fine\(hash)"
        return [head] + report.warnings.map { "  warning: " + TerminalText.safe($0.line, limit: 400) }
    }
}

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

/// The languages `graph` writes.
enum GraphFormat: String, Sendable, CaseIterable {
    case mermaid
    case dot
}

/// What was found in one pipeline.
struct PipelineReport: Sendable {
    let name: String
    /// The identity of the plan; nil when there is none because of problems.
    let hash: String?
    /// What keeps it from running.
    let problems: [CommandProblem]
    /// What is odd about it.
    let warnings: [CommandProblem]

    var json: JSONValue {
        [
            "name": .string(name), "hash": JSONValue(hash), "problems": .array(problems.map(\.json)),
            "warnings": .array(warnings.map(\.json)),
        ]
    }
}

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
