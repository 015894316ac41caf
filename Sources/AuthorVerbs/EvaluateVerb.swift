import Arguments
import Composition
import Console
import Evaluation
import JSONDocument
import KnotDomain
import PipelineInput
import Recommendation
import StageGraph
import Verbs

extension Verb {
    static let evaluate = Verb(
        name: .evaluate,
        summary: "Measure a pipeline on judged vaults, or compare it with another",
        uses: ["[FILE|DIR ...] [options]", "[FILE|DIR ...] --against NAME|FILE [options]"],
        operand: Operand(kind: .path(orWords: []), name: "FILE|DIR", isRepeatable: true),
        description: """
            Prints gates (what must never happen), then scores with 95 % intervals, then slices with their number of \
            vaults. With `--against`, compares both pipelines vault by vault and tests each difference. A recording \
            (in a folder, `*.cassette`) counts as a vault; a matching fixture in `--fixtures` supplies its \
            judgements. Scores change the exit code only with `--strict`. The same seed gives the same output.
            """,
        examples: [
            "knot-recommend evaluate --against classic --report report.html",
            "knot-recommend evaluate --sweep combine.hints=0..1:11",
            "knot-recommend evaluate --strict --quiet # fail a build if a gate fails",
        ],
        flags: [.output, .fixtures, .format, .readings, .rates, .against, .sweep, .report],
        texts: [
            .format: "Output format: `text` or `csv` (a row per vault)",
            .deadline: "Time limit for each vault, such as `500ms` or `2s`",
            .strict: "Exit with 10 if a gate fails",
            .json: "Print JSON lines: one per vault, then a summary",
            .verbose: "Also list every vault",
        ],
        exitCodes: [.degradedUnderStrict, .badInput, .notFound, .unavailable, .internalFault, .tryAgain],
        perform: EvaluateVerb.perform
    )
}

/// `evaluate`: what the judges say of a pipeline, alone or against another, and of one parameter.
enum EvaluateVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try EvaluateVerbOptions(arguments, context.settings, context.table)
        context.progress("reading \(options.fixtures.joined(separator: ", "))")
        let summary = try await EvaluationRun(options: options).summary(context)
        // The page first: a closed pipe must not keep it from being written.
        if let path = options.report {
            // What a vault's recording was about goes with the vault, and so does what is told of it.
            let written = WrittenFiles(context.environment)
            for vault in summary.provenance?.recordedVaults ?? [] where try written.knows(vault) {
                try written.note(path, vault: vault)
            }
            try AtomicFile.write(Array(ReportPage(summary).html.utf8), to: path)
        }
        if options.format == .csv {
            ProgressLine.shared.erase()
            try context.output.write(EvaluationCSV(summary).text)
        } else if context.isJSON {
            ProgressLine.shared.erase()
            let lines = EvaluationDocument(summary).rows.map { JSONWriter.text($0) + "\n" }
            try context.output.write(lines.joined())
        } else {
            try context.print(EvaluationTable(summary, isVerbose: options.shared.isVerbose).lines)
        }
        return summary.evaluation.keepsGates || !options.shared.isStrict ? .done : .degradedUnderStrict
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

    init(_ arguments: TypedArguments, _ settings: Settings, _ table: CommandTable) throws(CommandError) {
        shared = SharedOptions(arguments, settings)
        judgments = arguments.text(.fixtures) ?? FixtureOptions.usualFolder
        fixtures = arguments.operands.isEmpty ? [judgments] : arguments.operands
        namesFolderToo = !arguments.operands.isEmpty && arguments.has(.fixtures)
        against = arguments.text(.against).map(PipelineReference.init)
        readings = ReadingsSource(settings.text(.readings))
        rates = settings.text(.rates)
        report = arguments.text(.report)
        format = try TableFormat(arguments)
        command = arguments.commandLine(
            table,
            leavingOut: [
                .report, .output, .json, .format, .quiet, .verbose, .color, .threads, .strict,
            ]
        )
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
