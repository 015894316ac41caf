import Evaluation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Runs fixtures: reads what stands beside them, gives the stages their ports, and writes what comes of it.
struct FixtureDesk: Sendable {
    let pipelines: PipelineDesk

    /// A prepared run: everything that is read from files has been read.
    struct Job: Sendable {
        let fixtureCase: FixtureCase
        let plan: Plan
        let ports: StagePorts
    }

    func job(
        _ fixture: FixtureOptions,
        _ shared: SharedOptions,
        occasion: OccasionRequest,
        refresh: RefreshRequest? = nil
    ) throws(CommandError) -> Job {
        let plan = try pipelines.plan(shared.pipeline, shared)
        let found = try load(fixture)
        let fixtureCase = try Self.choosing(occasion, in: found)
        let ports = StagePorts(
            fixtureCase,
            asOf: fixture.asOf,
            refresh: refresh,
            zones: ZoneCache(),
            clock: MachineClock()
        )
        return Job(fixtureCase: fixtureCase, plan: plan, ports: ports)
    }

    /// Runs a job; the stages have threads of their own, so waiting here starves nobody.
    func perform(
        _ job: Job,
        _ shared: SharedOptions,
        records: Bool,
        context: CommandContext
    ) async throws(CommandError) -> (run: EngineRun, effects: [RecordedEffect]) {
        let recorder = records ? EffectRecorder() : nil
        var options = RunOptions(
            seed: shared.seed,
            subject: job.fixtureCase.fixture.vault.id.text,
            deadline: shared.deadline
        )
        if let recorder { options.effects = .recording(recorder) }
        options.onProgress = { context.progress("\($0.node): \($0.step)") }
        let engine = Engine(threads: shared.threads ?? MachineCores.count)
        do throws(PipelineError) {
            let run = try await engine.report(job.plan, ports: job.ports, options: options)
            return (run, recorder?.recorded(inOrderOf: job.plan.nodes.map(\.id)) ?? [])
        } catch {
            throw PipelineDesk.failure(error, in: shared.pipeline)
        }
    }

    /// The identity of a fixture run: the digest of all it read, of its plan and of its seed.
    static func identity(_ run: EngineRun, inputDigest: String, _ choices: ChoiceOfThree) -> RunIdentity {
        let request = JSONWriter.text(
            [.string(inputDigest), .string(run.plan.identity), .string(String(run.seed))],
            style: .canonical
        )
        return RunIdentity(
            kind: choices.brief.refresh == nil ? .fixture : .refresh,
            vault: choices.brief.vault.id,
            milestone: choices.brief.milestone?.id,
            occurrence: choices.brief.occurrence,
            tier: choices.brief.tier,
            request: request
        )
    }

    func load(_ options: FixtureOptions) throws(CommandError) -> FixtureCase {
        let loader = FixtureLoader(readings: options.readings.choice, ratesFile: options.rates)
        do throws(FixtureError) {
            return try loader.load(options.path)
        } catch {
            throw CommandError(error)
        }
    }

    private static func choosing(
        _ occasion: OccasionRequest,
        in found: FixtureCase
    ) throws(CommandError) -> FixtureCase {
        switch occasion {
        case .unstated: return found
        case .tier(let tier): return found.asking(for: .tier(tier))
        case .milestone(let id):
            guard found.fixture.vault.milestones.contains(where: { $0.id == id }) else {
                throw CommandError(
                    .notFound,
                    "the vault has no milestone \(id)",
                    at: "--milestone",
                    todo: "the milestones are in the fixture's vault.milestones"
                )
            }
            return found.asking(for: .milestone(id))
        }
    }
}
