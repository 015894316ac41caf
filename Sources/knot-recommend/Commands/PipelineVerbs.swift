import Arguments
import Composition
import Console
import JSONDocument
import PipelineInput
import StageGraph

extension VerbName {
    static let check = VerbName("check")
}

extension Verb {
    static let check = Verb(
        name: .check,
        summary: "lists every problem of pipeline files",
        operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: true),
        description: """
            Reads pipelines as a run would, with patches laid over them, and lists all problems at once, each with \
            its place and what would fit. Without a name it checks the pipeline that a run would use.
            """,
        examples: [
            Example(
                purpose: "the shipped pipelines",
                command: "knot-recommend check choice-of-three classic"
            ),
            Example(
                purpose: "an experiment on top of a pipeline",
                command: "knot-recommend check --experiment my-experiment.json"
            ),
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

extension VerbName {
    static let expand = VerbName("expand")
}

extension Verb {
    static let expand = Verb(
        name: .expand,
        summary: "prints a pipeline with everything it extends and is patched with",
        operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: false),
        description: """
            Prints the merged definition that a run would use. Reading it gives the same plan without any other \
            file; the plan's identity is the hash of this form and the stages' revisions.
            """,
        examples: [
            Example(purpose: "our pipeline in full", command: "knot-recommend expand choice-of-three"),
            Example(
                purpose: "with one weight changed",
                command: "knot-recommend expand choice-of-three --set combine.hints=0.7"
            ),
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

extension VerbName {
    static let graph = VerbName("graph")
}

extension Verb {
    static let graph = Verb(
        name: .graph,
        summary: "draws a pipeline as Mermaid or DOT",
        operand: Operand(kind: .pipeline, name: "PIPELINE", isRepeatable: false),
        description:
            "Prints the stages of a pipeline and what flows between them, to be drawn by Mermaid or Graphviz.",
        examples: [
            Example(purpose: "for a README", command: "knot-recommend graph choice-of-three"),
            Example(purpose: "for Graphviz", command: "knot-recommend graph classic --format dot"),
        ],
        flags: [
            .format
        ],
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

/// The languages `graph` writes.
enum GraphFormat: String, Sendable, CaseIterable {
    case mermaid
    case dot
}

extension PipelineReport {
    var json: JSONValue {
        [
            "name": .string(name), "hash": JSONValue(hash), "problems": .array(problems.map(\.json)),
            "warnings": .array(warnings.map(\.json)),
        ]
    }
}
