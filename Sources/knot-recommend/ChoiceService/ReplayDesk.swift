import Evaluation
import Explanation
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

/// The run that is to be explained, and what does it again with one thing changed.
struct ExplainedRun: Sendable {
    let run: EngineRun
    let again: HypothesisRunner
    /// What has changed since the run that was asked about; nil when nothing has.
    var caveat: String?
    /// The set as it was stored, where the run that made it cannot be done again as it was.
    var stored: StoredExplanation?

    init(_ options: ExplainVerbOptions, _ pipelines: PipelineDesk, _ context: CommandContext) async throws(CommandError)
    {
        let shared = options.shared
        switch options.source {
        case .fixture(let fixture):
            let job = try FixtureDesk(pipelines: pipelines).job(fixture, shared, occasion: options.occasion, context)
            (run, again) = try await Self.performed(job, shared, context)
        case .run(let id, let vault):
            let desk = try await VaultDesk(pipelines, shared, vault, context)
            let made = try await desk.explaining(id)
            (run, again) = try await Self.performed(made.job, shared, context)
            if Self.isSame(run, as: made.document) {
                caveat = made.readsTheSame ? nil : "what the run read has changed since; it would make the same set now"
            } else {
                stored = StoredExplanation(made.document, hints: made.vault.hints, zone: made.vault.timeZone)
                caveat =
                    made.hasItsPlan
                    ? "what the run read has changed since, so that it cannot be done again; this is the set as it was stored"
                    : "the set was made with \(made.pipeline), which is not at hand; this is the set as it was stored"
            }
        case .record(let path):
            let recording = try ReplayDesk.recording(path)
            let plan = try pipelines.plan(
                recorded: recording.cassette.plan,
                in: path,
                experiment: shared.experiment,
                settings: shared.parameters
            )
            let seed = recording.cassette.seed
            run = try await ReplayDesk(pipelines: pipelines).run(
                recording,
                plan,
                seed: seed,
                threads: shared.threads,
                deadline: shared.deadline
            )
            // A changed plan may ask what the recorded one did not.
            let world = await recording.open(Engine(threads: shared.threads ?? MachineCores.count))
            again = HypothesisRunner(plan: plan, ports: world.ports) {
                world.options(seed: seed, deadline: shared.deadline)
            }
        }
        if stored == nil, case .failure(let failure) = run.result {
            throw CommandError(failure, at: run.report.failedNode, input: "the run to explain")
        }
    }

    private static func performed(
        _ job: ChoiceJob,
        _ shared: SharedOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> (EngineRun, HypothesisRunner) {
        let run = try await ChoiceDesk(shared).perform(job, shared) { context.progress($0) }.run
        let subject = job.ports.request.vaultID.text
        let again = HypothesisRunner(plan: job.plan, ports: job.ports) {
            RunOptions(seed: job.seed ?? shared.seed, subject: subject, deadline: shared.deadline)
        }
        return (run, again)
    }

    /// Whether a run came to the stored choices by the stored scores, whatever kernels it had.
    private static func isSame(_ run: EngineRun, as document: JSONValue) -> Bool {
        guard case .success(let set) = run.result, let stored = document["choices"]?.array,
            stored.count == set.choices.count
        else { return false }
        return zip(set.choices, stored).allSatisfy { choice, stored in
            let score = stored["score"]?.double ?? .nan
            return choice.offer.candidate.id.text == stored["candidate_id"]?.string
                && abs(choice.ranked.score - score) < 1e-5
        }
    }
}

/// The one definition a recording carries, whatever name is asked for.
struct RecordedPlan: DefinitionSource {
    let bytes: [UInt8]

    func definition(
        _ reference: String,
        extendedBy file: String?
    ) throws(DefinitionSourceError) -> DefinitionFile {
        DefinitionFile(name: reference, bytes: bytes)
    }
}
