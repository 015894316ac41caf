import Evaluation
import FoundationEssentials
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

/// Prepares runs of fixtures: reads what stands beside them and gives the stages their ports.
struct FixtureDesk: Sendable {
    let pipelines: PipelineDesk

    /// A prepared run: everything that is read from files has been read.
    func job(
        _ options: FixtureOptions,
        _ shared: SharedOptions,
        occasion: OccasionRequest,
        refresh: RefreshRequest? = nil,
        _ context: CommandContext
    ) throws(CommandError) -> ChoiceJob {
        let plan = try pipelines.plan(shared.pipeline, shared)
        let found = try Self.choosing(occasion, in: load(options))
        let ports = StagePorts(
            found,
            asOf: options.asOf,
            refresh: refresh,
            embedder: try EmbedderDesk.embedder(shared, context),
            zones: ZoneCache(),
            clock: MachineClock()
        )
        return ChoiceJob(
            plan: plan,
            ports: ports,
            input: options.path,
            inputDigest: found.digest,
            keeping: .fixture,
            notes: found.fixture.duplicateCandidates.map {
                "candidate \($0) occurs more than once in \(options.path); the first one counts"
            }
        )
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

    private func load(_ options: FixtureOptions) throws(CommandError) -> FixtureCase {
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
                throw .noMilestone(id, todo: "the milestones are in the fixture's vault.milestones")
            }
            return found.asking(for: .milestone(id))
        }
    }
}

/// The machine's own clock: used only where neither the command line nor a fixture says what time it is.
struct MachineClock: WallClock {
    func now() -> Instant {
        Instant(millisecondsSinceEpoch: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }
}

/// How many threads stages get when nobody says.
enum MachineCores {
    static var count: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
