import Arguments
import Composition
import Console
import Evaluation
import Fixtures
import PipelineInput
import Recommendation
import StageGraph
import Verbs

extension Verb {
    static let replay = Verb(
        name: .replay,
        summary: "Run a recording again, or try another pipeline on it",
        uses: ["FILE [options]", "FILE --pipeline NAME|FILE [options]"],
        operand: Operand(kind: .file, name: "CASSETTE", isRepeatable: false),
        description: """
            Repeats every stage with the recorded answers; asks no service and stores nothing. Without `--pipeline`, \
            `--experiment` or `--set`, the result is identical to the byte. With them, shows what the changed \
            pipeline would have chosen on the same day. An answer that wasn't recorded counts as `not_recorded`.
            """,
        examples: [
            "knot-recommend run --vault $VAULT --record run.cassette",
            "knot-recommend replay run.cassette # the same result again",
            "knot-recommend replay run.cassette --set combine.hints=0.7",
        ],
        flags: [.cassette, .trace, .traceTexts, .timings],
        texts: [.verbose: "Print evidence and scores"],
        exitCodes: running,
        perform: ReplayVerb.perform
    )
}

/// `replay`: the stages again on a recorded world.
enum ReplayVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try ReplayVerbOptions(arguments, context.settings)
        context.progress("replaying \(options.cassette)")
        let report = try await ReplayRuns.replay(options, context)
        return try await ChoiceOutcome.finish(report, options.shared, options.output, context)
    }
}

/// What `replay` was asked to do.
struct ReplayVerbOptions: Sendable, Equatable {
    let shared: SharedOptions
    /// The path of the recording.
    let cassette: String
    /// Only what was typed counts: a pipeline from the environment must not change what a recording replays to.
    let pipeline: PipelineReference?
    /// The path of a patch that was typed.
    let experiment: String?
    /// A seed that was typed; nil: the recorded one.
    let seed: UInt64?
    let output: OutputOptions

    init(_ arguments: TypedArguments, _ settings: Settings) throws(CommandError) {
        let named = arguments.all(.cassette) + arguments.operands
        guard let path = named.first else {
            throw .usage(.replay, "there is no recording to replay", todo: "name the file: knot-recommend replay FILE")
        }
        guard named.count == 1 else { throw .usage(.replay, "two recordings are named", todo: "give one") }
        shared = SharedOptions(arguments, settings)
        cassette = path
        pipeline = arguments.text(.pipeline).map(PipelineReference.init)
        experiment = arguments.text(.experiment)
        seed = arguments.text(.seed).flatMap(UInt64.init)
        output = try OutputOptions(arguments, .replay)
    }
}

extension ReplayRuns {
    static func replay(
        _ options: ReplayVerbOptions,
        _ context: CommandContext
    ) async throws(CommandError) -> ChoiceReport {
        let recording = try Self.recording(options.cassette)
        let plan = try plan(for: recording, options, context)
        let run = await run(recording, plan, seed: options.seed ?? recording.cassette.seed, options.shared)
        return try ChoiceReport(
            run,
            identity: { Self.identity(run, recording, $0) },
            input: options.cassette,
            wantsTimings: options.output.wantsTimings,
            traceTexts: options.output.trace.map { _ in options.output.wantsTraceTexts ? .none : .vaultTexts }
        )
    }

    /// A recorded run keeps its identity; under another plan or seed it is a run of its own.
    private static func identity(_ run: EngineRun, _ recording: RecordedRun, _ choices: ChoiceOfThree) -> RunIdentity {
        if let name = recording.recorded.name, recording.isOf(run.plan, seed: run.seed) {
            return name.identity(of: choices.brief)
        }
        return RunIdentity.Name.ofInputs(
            recording.recorded.inputDigest,
            plan: run.plan.identity,
            seed: run.seed,
            isRefresh: choices.brief.refresh != nil
        ).identity(of: choices.brief)
    }

    /// The recorded plan, unless another pipeline was typed; experiments and settings are laid over either.
    private static func plan(
        for recording: RecordedRun,
        _ options: ReplayVerbOptions,
        _ context: CommandContext
    ) throws(CommandError) -> Plan {
        if let pipeline = options.pipeline {
            return try context.pipelines.plan(
                pipeline,
                experiment: options.experiment,
                settings: options.shared.parameters
            )
        }
        return try context.pipelines.plan(
            recorded: recording.cassette.plan,
            in: options.cassette,
            experiment: options.experiment,
            settings: options.shared.parameters
        )
    }
}
