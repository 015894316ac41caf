import Arguments
import Composition
import Console
import Evaluation
import Fixtures
import JSONDocument
import KnotDomain
import PipelineInput
import Recommendation
import StageGraph
import Verbs

extension Verb {
    static let judge = Verb(
        name: .judge,
        summary: "Score pipelines on judged vaults, one row each",
        uses: ["[--fixtures DIR] [--pipeline NAME|FILE ...] [options]"],
        description: """
            Shows grades, forbidden offers and broken rules for each pair of pipeline and readings. Two baselines \
            choose the longest descriptions and the best ratings from what the last pipeline's filters left. If they \
            do well, the vaults give their grades away. For statistics and comparisons, see `evaluate`.
            """,
        examples: [
            "knot-recommend judge",
            "knot-recommend judge --pipeline choice-of-three --pipeline classic",
        ],
        flags: [.output, .fixtures, .format, .readings, .rates],
        texts: [
            .pipeline: "Pipeline to score; can be repeated",
            .format: "Output format: `text` or `csv`",
            .deadline: "Time limit for each vault, such as `500ms` or `2s`",
        ],
        exitCodes: [.badInput, .notFound, .unavailable, .internalFault, .tryAgain],
        perform: JudgeVerb.perform
    )
}

/// `judge`: the figures of the judged vaults, of every pipeline with every kind of readings.
enum JudgeVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try JudgeVerbOptions(arguments, context.settings)
        context.progress("judging \(options.fixtures)")
        let engine = Engine(threads: options.shared.threads ?? MachineCores.count)
        let embedder = try ModelSetup.embedder(options.shared, context, keeping: .everything)
        let judge = Judge(engine: engine, zones: ZoneCache(), embedder: embedder)
        var table = JudgedTable(model: embedder?.model)
        for readings in options.readings {
            let cases = try Self.cases(options, readings)
            var last: JudgedFigures?
            for pipeline in options.pipelines {
                let plan = try context.pipelines.plan(pipeline, options.shared)
                let label = "\(pipeline), \(readings.label)"
                let figures = judge.figures(of: plan, label: label, over: cases, seed: options.shared.seed) {
                    context.progress("judging \(label): \($0) of \(cases.count)")
                }
                table.add(figures)
                last = figures
            }
            for baseline in Baseline.allCases {
                let label = "baseline \(baseline), \(readings.label)"
                if let last { table.add(last.chosen(by: baseline, label: label)) }
            }
        }
        let lines = table.lines(isVerbose: options.shared.isVerbose)
        return try TextReport(json: table.json, lines: lines, table: table.table).finish(context, as: options.format)
    }

    private static func cases(
        _ options: JudgeVerbOptions,
        _ readings: ReadingsSource
    ) throws(CommandError) -> [FixtureCase] {
        let loader = FixtureLoader(readings: readings.choice, ratesFile: options.rates)
        return try reporting {
            let files = try FixtureLoader.files(in: options.fixtures)
            let cases = try loader.load(files, threads: options.shared.threads ?? MachineCores.count)
                .filter(\.fixture.isJudged)
            guard !cases.isEmpty else {
                throw FixtureError(.missing, file: options.fixtures, "there is no judged fixture in this folder")
            }
            return cases
        }
    }
}

/// What `judge` was asked to measure: every pipeline with every kind of readings.
struct JudgeVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// The folder of judged vaults.
    let fixtures: String
    /// At least one.
    let pipelines: [PipelineReference]
    /// At least one.
    let readings: [ReadingsSource]
    /// Nil: beside the fixtures, else the embedded ones.
    let rates: String?
    let format: TableFormat

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        format = try TableFormat(arguments)
        shared = SharedOptions(arguments, settings)
        fixtures = arguments.text(.fixtures) ?? FixtureOptions.usualFolder
        let pipelines = arguments.all(.pipeline).map(PipelineReference.init)
        self.pipelines = pipelines.isEmpty ? [shared.pipeline] : pipelines
        let readings = arguments.all(.readings).map { ReadingsSource($0) }
        self.readings = readings.isEmpty ? [ReadingsSource(settings.text(.readings))] : readings
        rates = settings.text(.rates)
    }
}

extension ReadingsSource {
    /// How a row of figures calls them.
    fileprivate var label: String {
        switch self {
        case .automatic: "readings"
        case .rules: "rules"
        case .recorded: "recorded"
        }
    }
}
