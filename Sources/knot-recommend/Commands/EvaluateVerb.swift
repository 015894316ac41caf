import Evaluation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// `evaluate`: what the judges say of a pipeline, alone or against another.
enum EvaluateVerb {
    static func perform(
        _ options: EvaluateVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        guard let evaluate = context.engine.evaluate else { throw .notBuilt(.evaluate) }
        context.progress("reading \(options.fixtures.joined(separator: ", "))")
        let report = try await evaluate(options, context)
        // The page first: a closed pipe must not keep it from being written.
        if let path = options.report, let page = report.page {
            try AtomicFile.write(Array(page.utf8), to: path)
        }
        if let csv = report.csv {
            ProgressLine.shared.erase()
            try context.output.write(csv)
        } else if context.isJSON {
            ProgressLine.shared.erase()
            let lines = report.rows.map { JSONWriter.text($0) + "\n" }
            try context.output.write(lines.joined())
        } else {
            try context.print(report.lines)
        }
        return report.keepsGates || !options.shared.isStrict ? .done : .degradedUnderStrict
    }
}

/// What `evaluate` was asked to measure.
struct EvaluateVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// Fixtures, recordings and folders of them; at least one.
    let fixtures: [String]
    /// Where the judgments of recordings are looked for.
    let judgments: String
    /// Whether both were typed, which makes sense for recordings only.
    let namesFolderToo: Bool
    /// The pipeline to compare with, as it is: settings and experiment are the other one's.
    let against: PipelineReference?
    let readings: ReadingsSource
    /// Nil: beside the fixtures, else the embedded ones.
    let rates: String?
    let sweep: SweepRange?
    /// The path of the page to write.
    let report: String?
    let format: TableFormat
    /// What was typed, without where output goes and how it looks.
    let command: String

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        judgments = arguments.text(.fixtures) ?? FixtureOptions.usualFolder
        fixtures = arguments.operands.isEmpty ? [judgments] : arguments.operands
        namesFolderToo = !arguments.operands.isEmpty && arguments.has(.fixtures)
        against = arguments.text(.against).map(PipelineReference.init)
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        report = arguments.text(.report)
        format = try TableFormat(arguments)
        command = arguments.commandLine(leavingOut: [
            .report, .output, .json, .format, .quiet, .verbose, .color, .threads, .strict,
        ])
        guard let text = arguments.text(.sweep) else {
            sweep = nil
            return
        }
        guard let range = SweepRange(text) else {
            let steps = SweepRange.stepRange
            throw .usage(
                .evaluate,
                "--sweep cannot be understood",
                todo: "write node.parameter=a..b or node.parameter=a..b:steps with a below b and "
                    + "\(steps.lowerBound) to \(steps.upperBound) steps, such as combine.hints=0..1:11"
            )
        }
        sweep = range
    }
}

/// One `--sweep node.parameter=a..b[:steps]`.
struct SweepRange: Sendable, Equatable {
    let node: NodeID
    let parameter: String
    let first: Double
    let last: Double
    /// Nil: as many as suit the parameter.
    let steps: Int?

    /// How many points a sweep may have: each one runs every vault.
    static let stepRange = 2...101

    /// `combine.hints`.
    var name: String { "\(node.text).\(parameter)" }

    /// Nil when the text is not of that form, or the range is empty.
    init?(_ text: String) {
        guard let setting = CommandLineSetting(text), let equals = text.firstIndex(of: "=") else { return nil }
        var range = text[text.index(after: equals)...]
        var steps: Int?
        if let colon = range.lastIndex(of: ":") {
            guard let count = Int(range[range.index(after: colon)...]), Self.stepRange.contains(count) else {
                return nil
            }
            steps = count
            range = range[..<colon]
        }
        guard let dots = range.firstRange(of: ".."), let first = Double(range[..<dots.lowerBound]),
            let last = Double(range[dots.upperBound...]), first.isFinite, last.isFinite, first < last
        else { return nil }
        node = setting.node
        parameter = setting.parameter
        self.first = first
        self.last = last
        self.steps = steps
    }

    /// The points for a parameter: whole numbers where only they fit; nil for one that has no size.
    func values(for domain: ParameterDeclaration.Domain) -> [CommandLineSetting]? {
        switch domain {
        case .double:
            let count = steps ?? 9
            return (0..<count).map { step in
                // Seven digits: a step of a tenth is a tenth.
                let value = first + (last - first) * Double(step) / Double(count - 1)
                return setting(.number((value * 1e7).rounded() / 1e7))
            }
        case .integer:
            let (low, high) = (Int(first.rounded(.up)), Int(last.rounded(.down)))
            guard low <= high else { return nil }
            let count = min(steps ?? 9, high - low + 1)
            guard count > 1 else { return [setting(.integer(low))] }
            return (0..<count).map { setting(.integer(low + (high - low) * $0 / (count - 1))) }
        case .bool, .choice: return nil
        }
    }

    private func setting(_ value: JSONValue) -> CommandLineSetting {
        CommandLineSetting(node: node, parameter: parameter, value: value)
    }
}

extension EngineHooks {
    /// Adds `evaluate`: figures with intervals, two pipelines against one another, and the effect of one parameter.
    mutating func addEvaluating(_ pipelines: PipelineDesk) {
        evaluate = { (options, context) async throws(CommandError) in
            let summary = try await EvaluationDesk(pipelines: pipelines, options: options).summary(context)
            return EvaluationReport(
                rows: EvaluationDocument(summary).rows,
                lines: EvaluationTable(summary, isVerbose: options.shared.isVerbose).lines,
                csv: options.format == .csv ? EvaluationCSV(summary).text : nil,
                page: options.report == nil ? nil : ReportPage(summary).html,
                keepsGates: summary.evaluation.keepsGates
            )
        }
    }
}

/// What an evaluation came to, in every form that may be asked for.
struct EvaluationReport: Sendable {
    /// One JSON object a line: every vault of every pipeline, then the summary.
    let rows: [JSONValue]
    /// Lines that are safe to print, of at most 80 columns.
    let lines: [String]
    /// Every vault of every pipeline as comma-separated values; made only when they are asked for.
    let csv: String?
    /// The page; made only when it is asked for.
    let page: String?
    /// Whether every gate of the pipeline is at zero.
    let keepsGates: Bool
}

/// How figures and lists are written.
enum TableFormat: String, CaseIterable, Sendable {
    case text
    /// Comma-separated values, a row for each vault or choice.
    case csv

    init(_ arguments: TypedArguments) throws(CommandError) {
        let format = arguments.text(.format).flatMap(Self.init(rawValue:)) ?? .text
        guard format == .text || !arguments.has(.json) else {
            throw .usage(arguments.verb, "--json and --format csv exclude one another", todo: "give one of them")
        }
        self = format
    }
}
