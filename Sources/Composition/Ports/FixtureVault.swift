package import ChoiceService
package import Console
import Fixtures
import FoundationEssentials
import HintRules
package import KnotDomain
import PipelineInput
package import Recommendation
package import StageGraph

/// The vault of a fixture with its outside world, all of it read before the run.
package struct FixtureVault: VaultLoading {
    private let found: FixtureCase
    private let path: String
    private let plan: Plan
    private let embedder: (any TextEmbedder)?

    package init(
        _ options: FixtureOptions,
        for plan: Plan,
        _ shared: SharedOptions,
        _ context: CommandContext
    ) throws(CommandError) {
        self.plan = plan
        found = try reporting {
            try FixtureLoader(readings: options.readings.choice, ratesFile: options.rates).load(options.path)
        }
        path = options.path
        embedder = try ModelSetup.embedder(shared, context, keeping: .offers(isDryRun: options.isDryRun))
    }

    /// The one vault that there is.
    package var id: VaultID { found.fixture.vault.id }

    /// Whether an occasion can be had of it: a milestone must be one of its own.
    package func has(_ occasion: OccasionChoice) -> Bool {
        guard case .milestone(let id) = occasion else { return true }
        return found.fixture.vault.milestones.contains { $0.id.text.lowercased() == id.text.lowercased() }
    }

    package var notes: [String] {
        let unasked = Set(found.fixture.candidates.map(\.provider)).subtracting(plan.askedProviders)
        return found.fixture.duplicateCandidates.map {
            "candidate \($0) occurs more than once in \(path); the first one counts"
        }
            + unasked.map(\.rawValue).sorted().map {
                "no source of the pipeline asks \($0), so its candidates in \(path) are left out"
            }
    }

    package func load(_ vault: VaultID) async throws(ChoiceError) -> LoadedVault {
        let ports = StagePorts(found, asking: plan.askedProviders, asOf: nil, zones: ZoneCache(), clock: MachineClock())
        return LoadedVault(
            found.fixture.vault,
            place: path,
            occasion: found.occasion,
            asOf: found.fixture.asOf,
            reader: ports.reader,
            fallback: ports.fallback,
            providers: Array(ports.providers.values),
            checker: ports.checker,
            embedder: embedder,
            rates: ports.rates,
            inputs: .files(found.digest)
        )
    }

    package func load(together vaults: [VaultID]) async -> LoadedGroup {
        var group = LoadedGroup([])
        for id in vaults {
            do throws(ChoiceError) {
                group.vaults.append(.success(try await load(id)))
            } catch {
                group.vaults.append(.failure(error))
            }
        }
        return group
    }

    package func isThere(_ vault: VaultID) async -> Bool { true }
}

extension ChoiceService {
    /// The service over a fixture; a pipeline that is wrong is said before the fixture is read.
    package static func ofFixture(
        _ options: FixtureOptions,
        _ shared: SharedOptions,
        _ context: CommandContext,
        through laid: (any VaultLoading) -> any VaultLoading = { $0 }
    ) throws(CommandError) -> (service: ChoiceService, vault: FixtureVault) {
        let plan = try context.pipelines.plan(shared.pipeline, shared)
        let vault = try FixtureVault(options, for: plan, shared, context)
        let threads = shared.threads ?? MachineCores.count
        let budget = TimeBudget(shared.deadline, isForEach: true)
        return (ChoiceService(plan, vaults: laid(vault), seed: shared.seed, threads: threads, budget: budget), vault)
    }
}

/// How many threads stages get when nothing else was asked for.
package enum MachineCores {
    package static var count: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
