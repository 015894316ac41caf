import ChoiceText
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

/// Runs what an evaluation was asked for: the pipeline, the one it is held against, and every point of a sweep.
struct EvaluationRun: Sendable {
    let options: EvaluateVerbOptions

    func summary(_ context: CommandContext) async throws(CommandError) -> EvaluationSummary {
        let shared = options.shared
        // Plans before fixtures: what is wrong with the command line is told before anything is read.
        let plan = try context.pipelines.plan(shared.pipeline, shared)
        let other: Plan?
        if let against = options.against {
            other = try context.pipelines.plan(against, experiment: nil, settings: [])
        } else {
            other = nil
        }
        let cases = try cases(context)
        let embedder = try ModelSetup.embedder(shared, context, keeping: .everything)
        let evaluator = evaluator(embedder)
        let evaluation = await evaluation(of: plan, label(plan), cases, evaluator, context)
        var old: PipelineEvaluation?
        if let other, let against = options.against {
            old = await self.evaluation(of: other, name(of: against), cases, evaluator, context)
        }
        return EvaluationSummary(
            evaluation,
            against: old,
            sweep: try await sweep(plan, evaluation, cases, evaluator, context),
            readings: options.readings.words,
            seed: shared.seed,
            provenance: Provenance(
                version: ProgramVersion.number,
                command: options.command,
                model: embedder?.model,
                changes: changes,
                cases: cases
            )
        )
    }

    /// What the star stands for, as it is typed.
    private var changes: [String] {
        let settings = options.shared.parameters.map { setting in
            "\(setting.node).\(setting.parameter)=\(JSONWriter.text(setting.value))"
        }
        return (options.shared.experiment.map { ["the experiment \($0)"] } ?? []) + settings
    }

    private func evaluation(
        of plan: Plan,
        _ label: String,
        _ cases: [FixtureCase],
        _ evaluator: Evaluator,
        _ context: CommandContext
    ) async -> PipelineEvaluation {
        await evaluator.evaluate(plan, label: label, over: cases) { done in
            context.progress("\(label) \(RunProgressLine.bar(done, of: cases.count)) \(done) of \(cases.count)")
        }
    }

    /// One for all pipelines: what was embedded for one is there for the next.
    private func evaluator(_ embedder: (any TextEmbedder)?) -> Evaluator {
        let threads = options.shared.threads ?? MachineCores.count
        let zones = ZoneCache()
        return Evaluator(
            engine: Engine(threads: threads),
            seed: options.shared.seed,
            atOnce: threads,
            deadline: options.shared.deadline
        ) { found, plan in
            StagePorts(
                found,
                asking: plan.askedProviders,
                asOf: nil,
                embedder: embedder,
                zones: zones,
                clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
        }
    }

    private func sweep(
        _ plan: Plan,
        _ base: PipelineEvaluation,
        _ cases: [FixtureCase],
        _ evaluator: Evaluator,
        _ context: CommandContext
    ) async throws(CommandError) -> Sweep? {
        guard let range = options.sweep else { return nil }
        let shared = options.shared
        guard let node = plan[range.node],
            let declared = node.declarations.first(where: { $0.name == range.parameter })
        else {
            throw CommandError(
                .configuration,
                "the pipeline has no parameter \(range.name)",
                at: "--sweep",
                todo: "knot-recommend expand \(shared.pipeline) shows the nodes and parameters"
            )
        }
        if let excess = range.excess(of: declared.domain) {
            throw CommandError(
                .configuration,
                "\(range.name) is not swept beyond what it may be: \(excess)",
                at: "--sweep",
                todo: "name a range within that"
            )
        }
        guard let settings = range.values(for: declared.domain) else {
            throw CommandError(
                .configuration,
                "\(range.name) has no range of numbers in there",
                at: "--sweep",
                todo: "sweep a number; for words and switches use --set with --against"
            )
        }
        var points: [SweepPoint] = []
        for setting in settings {
            let value = setting.value.double ?? 0
            let changed = try context.pipelines.plan(
                shared.pipeline,
                experiment: shared.experiment,
                settings: shared.parameters + [setting]
            )
            let label = "\(range.name)=\(JSONWriter.text(setting.value))"
            let evaluation = await evaluation(of: changed, label, cases, evaluator, context)
            points.append(SweepPoint(value: value, evaluation: evaluation, base: base, seed: shared.seed))
        }
        let own = node.parameters.settings[declared.name]?.value ?? declared.defaultValue
        return Sweep(name: range.name, base: own.double, points: points)
    }

    private func cases(_ context: CommandContext) throws(CommandError) -> [FixtureCase] {
        let cases = try read()
        let unjudged = cases.count { !$0.fixture.isJudged }
        if unjudged > 0 {
            let words = FigureText.plural(unjudged, "vault has", "vaults have")
            context.note(
                "\(words) no judgments and count in what needs none: gates by facts, types, diversity, exposure"
            )
        }
        return cases
    }

    private func read() throws(CommandError) -> [FixtureCase] {
        let inputs = try reporting { try EvaluationInputs(options.fixtures) }
        if options.namesFolderToo, !inputs.hasRecordings {
            throw .usage(
                .evaluate,
                "the fixtures are named twice",
                todo: "use --fixtures DIR or FILE|DIR, not both; only recordings find their judgments in DIR"
            )
        }
        // Where no folder was asked for and the usual one is not there, recordings are not judged.
        let isJudged = options.namesFolderToo || FileStatus(path: options.judgments)?.kind == .folder
        return try reporting {
            try inputs.cases(
                readings: options.readings.choice,
                ratesFile: options.rates,
                judgedIn: isJudged ? options.judgments : nil,
                threads: options.shared.threads ?? MachineCores.count
            )
        }
    }

    /// The pipeline's name; a star says that it was changed on the command line.
    private func label(_ plan: Plan) -> String {
        let isChanged = options.shared.experiment != nil || !options.shared.parameters.isEmpty
        return name(of: options.shared.pipeline) + (isChanged ? "*" : "")
    }

    private func name(of pipeline: PipelineReference) -> String {
        guard case .file(let path) = pipeline else { return pipeline.description }
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last.hasSuffix(".json") ? String(last.dropLast(5)) : last
    }
}

extension ReadingsSource {
    /// How they came, for who reads the figures.
    fileprivate var words: String {
        switch self {
        case .automatic: "beside the fixtures, else rules"
        case .rules: "rules"
        case .recorded(let path): path
        }
    }
}
