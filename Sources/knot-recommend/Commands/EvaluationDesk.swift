import Evaluation
import FileInput
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Runs what an evaluation was asked for: the pipeline, the one it is held against, and every point of a sweep.
struct EvaluationDesk: Sendable {
    let pipelines: PipelineDesk
    let options: EvaluateVerbOptions

    func summary(_ context: CommandContext) async throws(CommandError) -> EvaluationSummary {
        let shared = options.shared
        // Plans before fixtures: what is wrong with the command line is told before anything is read.
        let plan = try pipelines.plan(shared.pipeline, shared)
        let other: Plan?
        if let against = options.against {
            other = try pipelines.plan(against, experiment: nil, settings: [])
        } else {
            other = nil
        }
        let cases = try cases(context)
        let embedder = try EmbedderDesk.embedder(shared, context, keepsFile: true)
        let evaluator = evaluator(embedder)
        let evaluation = try await evaluation(of: plan, shared.pipeline, label(plan), cases, evaluator, context)
        var old: PipelineEvaluation?
        if let other, let against = options.against {
            old = try await self.evaluation(of: other, against, name(of: against), cases, evaluator, context)
        }
        return EvaluationSummary(
            evaluation,
            against: old,
            sweep: try await sweep(plan, evaluation, cases, evaluator, context),
            readings: options.readings.words,
            seed: shared.seed,
            provenance: Provenance(
                version: VersionVerb.number,
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
        _ pipeline: PipelineReference,
        _ label: String,
        _ cases: [FixtureCase],
        _ evaluator: Evaluator,
        _ context: CommandContext
    ) async throws(CommandError) -> PipelineEvaluation {
        do throws(PipelineError) {
            return try await evaluator.evaluate(plan, label: label, over: cases) { done in
                context.progress("\(label) \(Self.bar(done, of: cases.count)) \(done) of \(cases.count)")
            }
        } catch {
            throw PipelineDesk.failure(error, in: pipeline)
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
        ) { found in
            StagePorts(
                found,
                asOf: nil,
                embedder: embedder,
                zones: zones,
                clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
        }
    }

    private static func bar(_ done: Int, of count: Int) -> String {
        let width = 20
        let filled = count == 0 ? width : done * width / count
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
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
            let declared = node.stage.parameters.first(where: { $0.name == range.parameter })
        else {
            throw CommandError(
                .configuration,
                "the pipeline has no parameter \(range.name)",
                at: "--sweep",
                todo: "knot-recommend expand \(shared.pipeline) shows the nodes and parameters"
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
            let changed = try pipelines.plan(
                shared.pipeline,
                experiment: shared.experiment,
                settings: shared.parameters + [setting]
            )
            let label = "\(range.name)=\(JSONWriter.text(setting.value))"
            let evaluation = try await evaluation(of: changed, shared.pipeline, label, cases, evaluator, context)
            points.append(SweepPoint(value: value, evaluation: evaluation, base: base, seed: shared.seed))
        }
        let own = node.parameters.settings[declared.name]?.value ?? declared.defaultValue
        return Sweep(name: range.name, base: own.double, points: points)
    }

    private func cases(_ context: CommandContext) throws(CommandError) -> [FixtureCase] {
        let cases = try EvaluatedInputs(options).cases()
        let unjudged = cases.count { !$0.fixture.isJudged }
        if unjudged > 0 {
            let words = FigureText.plural(unjudged, "vault has", "vaults have")
            context.note(
                "\(words) no judgments and count in what needs none: gates by facts, types, diversity, exposure"
            )
        }
        return cases
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

/// The fixtures and recordings that an evaluation was given, in the order they were named.
struct EvaluatedInputs: Sendable {
    private let options: EvaluateVerbOptions
    private let loader: FixtureLoader

    init(_ options: EvaluateVerbOptions) {
        self.options = options
        loader = FixtureLoader(readings: options.readings.choice, ratesFile: options.rates)
    }

    func cases() throws(CommandError) -> [FixtureCase] {
        let files: [(path: String, isRecording: Bool)]
        do throws(FixtureError) {
            files = try found()
        } catch {
            throw CommandError(error)
        }
        let hasRecordings = files.contains(where: \.isRecording)
        if options.namesFolderToo, !hasRecordings {
            throw .usage(
                .evaluate,
                "the fixtures are named twice",
                todo: "use --fixtures DIR or FILE|DIR, not both; only recordings find their judgments in DIR"
            )
        }
        do throws(FixtureError) {
            guard !files.isEmpty else {
                let named = options.fixtures.joined(separator: ", ")
                throw FixtureError(.missing, file: named, "there is neither a fixture nor a recording here")
            }
            let judged = hasRecordings ? try judged() : []
            let recordings = RecordingLoader(readings: options.readings.choice, judged: judged)
            var cases: [FixtureCase] = []
            for file in files {
                cases.append(try file.isRecording ? recordings.load(file.path) : loader.load(file.path))
            }
            return cases
        } catch {
            throw CommandError(error)
        }
    }

    private func found() throws(FixtureError) -> [(path: String, isRecording: Bool)] {
        var files: [(path: String, isRecording: Bool)] = []
        for path in options.fixtures {
            switch FileStatus(path: path)?.kind {
            case .folder:
                files += try FixtureLoader.files(in: path).map { ($0, false) }
                files += try FixtureLoader.recordings(in: path).map { ($0, true) }
            // The loader says what is wrong with a file that is not there.
            case nil where !FileContents.isStandardInput(path): files.append((path, false))
            default: files.append((path, RecordingLoader.isRecording(try FixtureLoader.bytes(path))))
            }
        }
        return files
    }

    /// Where no folder was asked for and the usual one is not there, recordings are not judged.
    private func judged() throws(FixtureError) -> [FixtureCase] {
        guard options.namesFolderToo || FileStatus(path: options.judgments)?.kind == .folder else { return [] }
        let fixtures = FixtureLoader(readings: .rules, ratesFile: options.rates)
        var judged: [FixtureCase] = []
        for file in try FixtureLoader.files(in: options.judgments) { judged.append(try fixtures.load(file)) }
        return judged
    }
}
