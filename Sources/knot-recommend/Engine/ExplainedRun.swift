import Evaluation
import KnotDomain
import Recommendation
import StageGraph

/// The run that is to be explained, and what does it again with one thing changed.
struct ExplainedRun: Sendable {
    let run: EngineRun
    let again: HypothesisRunner
    /// What is different from the run that was asked about; nil when nothing is.
    var caveat: String?

    init(_ options: ExplainVerbOptions, _ pipelines: PipelineDesk, _ context: CommandContext) async throws(CommandError)
    {
        let shared = options.shared
        switch options.source {
        case .fixture(let fixture):
            let job = try FixtureDesk(pipelines: pipelines).job(fixture, shared, occasion: options.occasion, context)
            (run, again) = try await Self.performed(job, shared, context)
        case .run(let id, let vault):
            let desk = try await VaultDesk(pipelines, shared, vault, context)
            let (job, shown) = try await desk.explaining(id)
            (run, again) = try await Self.performed(job, shared, context)
            if case .success(let set) = run.result, set.choices.map(\.offer.candidate.id.text) != shown {
                caveat = "what the run read has changed since; this explains the set it would make now"
            }
        case .record(let path):
            let replays = ReplayDesk(pipelines: pipelines)
            let tape = try ReplayDesk.Tape(path)
            let plan = try pipelines.plan(
                recorded: tape.cassette.plan,
                in: path,
                experiment: shared.experiment,
                settings: shared.parameters
            )
            run = try await replays.run(
                tape,
                plan,
                seed: tape.cassette.seed,
                threads: shared.threads,
                deadline: shared.deadline
            )
            again = HypothesisRunner(plan: plan, ports: tape.ports) {
                var options = RunOptions(
                    seed: tape.cassette.seed,
                    subject: tape.recorded.request.vaultID.text,
                    deadline: shared.deadline
                )
                options.effects = .replaying(CassettePlayer(tape.cassette))
                return options
            }
        }
        if case .failure(let failure) = run.result {
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
            RunOptions(seed: shared.seed, subject: subject, deadline: shared.deadline)
        }
        return (run, again)
    }
}
