import Evaluation
import KnotDomain
import Recommendation
import StageGraph

/// The run that is to be explained, and what does it again with one thing changed.
struct ExplainedRun: Sendable {
    let run: EngineRun
    let again: HypothesisRunner

    init(_ options: ExplainVerbOptions, _ pipelines: PipelineDesk, _ context: CommandContext) async throws(CommandError)
    {
        let shared = options.shared
        switch options.source {
        case .fixture(let fixture):
            let desk = FixtureDesk(pipelines: pipelines)
            let job = try desk.job(fixture, shared, occasion: options.occasion)
            run = try await desk.perform(job, shared, records: false, context: context).run
            let subject = job.fixtureCase.fixture.vault.id.text
            again = HypothesisRunner(plan: job.plan, ports: job.ports) {
                RunOptions(seed: shared.seed, subject: subject, deadline: shared.deadline)
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
}
