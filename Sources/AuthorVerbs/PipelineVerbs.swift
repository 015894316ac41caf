import Arguments
import Composition
import Console
import JSONDocument
import PipelineInput
import StageGraph
import Verbs

extension Verb {
    static let check = Verb(
        name: .check,
        summary: "Check pipelines for errors",
        uses: ["[PIPELINE ...] [options]"],
        operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: true),
        description: """
            Lists all errors at once, each with its position and what is valid there. Without a name, checks the \
            pipeline that `run` would use.
            """,
        examples: [
            "knot-recommend check my-pipeline.json",
            "knot-recommend check --experiment more-hints.json # a patch",
        ],
        perform: CheckVerb.perform
    )
}

/// `check`: every problem of pipeline files.
enum CheckVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try PipelineVerbOptions(arguments, context.settings)
        var reports: [PipelineReport] = []
        var unread: [CommandError] = []
        for pipeline in options.pipelines {
            do throws(CommandError) {
                reports.append(try context.pipelines.report(pipeline, options.shared))
            } catch {
                // An experiment that cannot be read is missing from each pipeline.
                if !unread.contains(error) { unread.append(error) }
            }
        }
        let problems = reports.flatMap(\.problems) + unread.map { CommandProblem(file: $0.place, $0.what) }
        // Alone it says best itself what is to be done.
        if let only = unread.first, problems.count == 1 { throw only }
        guard problems.isEmpty else {
            let broken = reports.filter { !$0.problems.isEmpty }.map(\.name) + unread.map(\.place)
            throw CommandError(
                .configuration,
                "\(problems.count) problem\(problems.count == 1 ? "" : "s") in the pipeline",
                at: broken.joined(separator: ", "),
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

extension Verb {
    static let expand = Verb(
        name: .expand,
        summary: "Print a pipeline with everything it extends and all its patches",
        uses: ["[PIPELINE] [options]"],
        operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: false),
        description: """
            The output is the complete definition that `run` would use, and needs no other file. A pipeline's \
            identity is the hash of this form and of the revisions of its stages.
            """,
        examples: [
            "knot-recommend expand choice-of-three",
            "knot-recommend expand choice-of-three --set combine.hints=0.7",
        ],
        perform: ExpandVerb.perform
    )
}

/// `expand`: the merged definition.
enum ExpandVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try PipelineVerbOptions(arguments, context.settings)
        // A definition is JSON already: for people and for programs it is the same.
        try context.print(try context.pipelines.plan(options.only, options.shared).definition)
        return .done
    }
}

extension Verb {
    static let graph = Verb(
        name: .graph,
        summary: "Draw a pipeline's stages and what flows between them",
        uses: ["[PIPELINE] [--format FORMAT] [options]"],
        operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: false),
        examples: [
            "knot-recommend graph choice-of-three # Mermaid, for Markdown",
            "knot-recommend graph classic --format dot | dot -Tsvg > classic.svg",
        ],
        flags: [.format],
        texts: [.format: "Language of the diagram: `mermaid` or `dot` (Graphviz)"],
        perform: GraphVerb.perform
    )
}

/// `graph`: the drawing of a pipeline.
enum GraphVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try PipelineVerbOptions(arguments, context.settings)
        let plan = try context.pipelines.plan(options.only, options.shared)
        let text = options.format == .dot ? PlanDrawing.dot(plan) : PlanDrawing.mermaid(plan)
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

    /// The one of `expand` and `graph`: the parser lets them take no more.
    var only: PipelineReference { pipelines.first ?? shared.pipeline }

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

extension PipelineReport {
    var json: JSONValue {
        [
            "name": .string(name), "hash": JSONValue(hash), "problems": .array(problems.map(\.json)),
            "warnings": .array(warnings.map(\.json)),
        ]
    }
}
