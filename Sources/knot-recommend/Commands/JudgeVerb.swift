import Evaluation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// `judge`: the figures of the judged vaults.
enum JudgeVerb {
    static func perform(_ options: JudgeVerbOptions, _ context: CommandContext) async throws(CommandError) -> ExitCode {
        guard let judge = context.engine.judge else { throw .notBuilt(.judge) }
        context.progress("judging \(options.fixtures)")
        return try await judge(options, context).finish(context, as: options.format)
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

extension EngineHooks {
    /// Adds `judge`: what the judges say of every pipeline with every kind of readings.
    mutating func addJudging(_ pipelines: PipelineDesk) {
        judge = { (options, context) throws(CommandError) in
            let engine = Engine(threads: options.shared.threads ?? MachineCores.count)
            let embedder = try EmbedderDesk.embedder(options.shared, context, keepsFile: true)
            let judge = Judge(engine: engine, zones: ZoneCache(), embedder: embedder)
            var table = JudgedTable()
            for readings in options.readings {
                let cases = try Self.cases(options, readings)
                for pipeline in options.pipelines {
                    let plan = try pipelines.plan(pipeline, options.shared)
                    let label = "\(pipeline), \(readings.label)"
                    do throws(PipelineError) {
                        table.add(
                            try judge.figures(of: plan, label: label, over: cases, seed: options.shared.seed) {
                                context.progress("judging \(label): \($0) of \(cases.count)")
                            }
                        )
                    } catch {
                        throw PipelineDesk.failure(error, in: pipeline)
                    }
                }
            }
            return table.report(isVerbose: options.shared.isVerbose)
        }
    }

    private static func cases(
        _ options: JudgeVerbOptions,
        _ readings: ReadingsSource
    ) throws(CommandError) -> [FixtureCase] {
        let loader = FixtureLoader(readings: readings.choice, ratesFile: options.rates)
        do throws(FixtureError) {
            var cases: [FixtureCase] = []
            for file in try FixtureLoader.files(in: options.fixtures) {
                let found = try loader.load(file)
                if found.fixture.isJudged { cases.append(found) }
            }
            guard !cases.isEmpty else {
                throw FixtureError(.missing, file: options.fixtures, "there is no judged fixture in this folder")
            }
            return cases
        } catch {
            throw CommandError(error)
        }
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
