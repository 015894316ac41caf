import Evaluation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Runs recordings again: effects are answered from the recording and never performed, stages always run.
///
/// The recorded plan must find every answer it had; another plan falls back where the recording has none.
struct ReplayDesk: Sendable {
    let pipelines: PipelineDesk

    /// A recording, read and understood.
    static func recording(_ path: String) throws(CommandError) -> RecordedRun {
        let bytes = try InputFile.read(path)
        let cassette: Cassette
        do throws(CassetteError) {
            cassette = try Cassette(ndjson: bytes)
        } catch {
            throw CommandError(
                .badInput,
                "\(error.message) (line \(error.line))",
                at: path,
                todo: "record the run again"
            )
        }
        let reader = JSONReader(cassette.request, path: "$.request")
        guard let run = RecordedRun(cassette, reading: reader) else {
            throw CommandError(
                .badInput,
                "the recording's request cannot be read",
                at: path,
                todo: "record the run again",
                problems: reader.problems.list.map { CommandProblem(file: path, $0) }
            )
        }
        return run
    }

    func replay(
        _ options: ReplayVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ChoiceReport {
        let recording = try Self.recording(options.cassette)
        let plan = try plan(for: recording, options)
        let run = try await run(
            recording,
            plan,
            seed: options.seed ?? recording.cassette.seed,
            threads: options.shared.threads,
            deadline: options.shared.deadline
        )
        return try ChoiceReport(
            run,
            identity: { Self.identity(run, recording, $0) },
            input: options.cassette,
            wantsTimings: options.wantsTimings,
            traceTexts: options.trace.map { _ in options.wantsTraceTexts ? .none : .vaultTexts }
        )
    }

    /// A recorded run keeps its identity; under another plan or seed it is a run of its own.
    private static func identity(_ run: EngineRun, _ recording: RecordedRun, _ choices: ChoiceOfThree) -> RunIdentity {
        guard let name = recording.recorded.name, recording.isOf(run.plan, seed: run.seed) else {
            return FixtureDesk.identity(run, inputDigest: recording.recorded.inputDigest, choices)
        }
        return RunIdentity(
            kind: name.kind,
            vault: choices.brief.vault.id,
            milestone: choices.brief.milestone?.id,
            occurrence: choices.brief.occurrence,
            tier: choices.brief.tier,
            request: name.request
        )
    }

    func run(
        _ recording: RecordedRun,
        _ plan: Plan,
        seed: UInt64,
        threads: Int?,
        deadline: Duration?
    ) async throws(CommandError) -> EngineRun {
        let engine = Engine(threads: threads ?? MachineCores.count)
        let world = await recording.world(for: plan, seed: seed, engine)
        do throws(PipelineError) {
            return try await engine.report(
                plan,
                ports: world.ports,
                options: world.options(seed: seed, deadline: deadline)
            )
        } catch {
            throw PipelineDesk.failure(error, in: .standard)
        }
    }

    /// The recorded plan, unless another pipeline was typed; experiments and settings are laid over either.
    private func plan(for recording: RecordedRun, _ options: ReplayVerbOptions) throws(CommandError) -> Plan {
        if let pipeline = options.pipeline {
            return try pipelines.plan(pipeline, experiment: options.experiment, settings: options.shared.parameters)
        }
        return try pipelines.plan(
            recorded: recording.cassette.plan,
            in: options.cassette,
            experiment: options.experiment,
            settings: options.shared.parameters
        )
    }
}
