package import ChoiceService
package import Console
import HTTPClient
package import KnotDomain
package import LiveProviders
package import Recommendation
package import StageGraph
import Synchronization
import Threads

/// Vaults whose runs ask services: one that is set up answers instead of what a fixture or a catalogue holds under its name.
package struct LiveVaults: VaultLoading {
    private let vaults: any VaultLoading
    private let providers: [any CandidateProvider]
    /// Looks at what services brought; nil where nobody looks, and then what it is worth stays unknown.
    private let checker: (any AvailabilityChecker)?

    package init(
        _ vaults: any VaultLoading,
        providers: [any CandidateProvider],
        checker: (any AvailabilityChecker)? = nil
    ) {
        self.vaults = vaults
        self.providers = providers
        self.checker = checker
    }

    package func load(_ vault: VaultID) async throws(ChoiceError) -> LoadedVault {
        live(try await vaults.load(vault))
    }

    package func load(together vaults: [VaultID]) async -> LoadedGroup {
        var group = await self.vaults.load(together: vaults)
        group.vaults = group.vaults.map { $0.map(live) }
        return group
    }

    package func isThere(_ vault: VaultID) async -> Bool { await vaults.isThere(vault) }

    private func live(_ loaded: LoadedVault) -> LoadedVault {
        var live = loaded
        // Of two that answer to one name, the later does.
        live.providers += providers
        live.checker = LiveChecker(
            names: Set(providers.flatMap(\.capabilities).map(\.name)),
            live: checker,
            other: loaded.checker
        )
        return live
    }
}

/// Looks at what services brought by itself, and at everything else as before.
private struct LiveChecker: AvailabilityChecker {
    let names: Set<ProviderName>
    let live: (any AvailabilityChecker)?
    let other: any AvailabilityChecker

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        guard names.contains(candidate.provider) else { return try await other.probe(candidate) }
        guard let live else {
            throw StageFailure(
                .provider,
                code: "not_looked",
                "nobody looks at the pages of \(candidate.provider.rawValue)"
            )
        }
        return try await live.probe(candidate)
    }
}

/// A provider that has nothing and keeps what it was asked, so that a run's questions are known before one is sent.
package final class QueryCollector: CandidateProvider {
    package let capabilities: [ProviderCapability]
    private let asked = Mutex<[ProviderQuery]>([])

    package init(_ capabilities: [ProviderCapability]) {
        self.capabilities = capabilities
    }

    /// In the order in which they came.
    package var queries: [ProviderQuery] { asked.withLock { $0 } }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        asked.withLock { $0.append(query) }
        return []
    }
}

extension LiveVaults {
    /// What a live run lays over its vaults; nothing for a run that asks nobody outside.
    ///
    /// Refused where nothing is set up: it would be a run of what lies here, and look like another.
    package static func laid(
        _ isLive: Bool,
        _ context: CommandContext
    ) throws(CommandError) -> (any VaultLoading) -> any VaultLoading {
        guard isLive else { return { $0 } }
        let outside = try LiveOutside(context)
        let (services, pages) = (try outside.services.required(), outside.pages)
        return { LiveVaults($0, providers: services, checker: pages) }
    }
}

/// What a call may reach outside: services, and the pages of what they have, over one client.
package struct LiveOutside: Sendable {
    package let services: LiveServices
    /// Nil where nobody is to look: what is shown is of unknown availability then.
    let pages: (any AvailabilityChecker)?

    package init(_ context: CommandContext) throws(CommandError) {
        let client: HTTPClient
        do throws(HTTPFailure) {
            client = try HTTPClient()
        } catch {
            throw CommandError(.unavailable, error.description, at: "HTTP", todo: "try again when the machine has room")
        }
        let timers = DeadlineTimers()
        services = LiveServices(context.environment, over: client, timers)
        pages = context.environment["KNOT_PAGES"] == "none" ? nil : PageProbe(over: client, timers: timers)
    }
}

extension LiveServices {
    /// The services of an environment over one client.
    fileprivate init(_ environment: Environment, over client: HTTPClient, _ timers: DeadlineTimers) {
        // Where no folder can be kept, calls are paced and not counted.
        let folder = Self.quotaFolder(environment)
        let clock = MachineClock()
        self.init(
            environment: { environment[$0] },
            zones: ZoneCache(),
            now: { clock.now() },
            sending: { conduct in
                conduct.sender(over: client, quota: folder.flatMap { conduct.ledger(in: $0) }, timers: timers)
            }
        )
    }

    /// Where the calls of all processes are counted; nil where no folder can be kept.
    package static func quotaFolder(_ environment: Environment) -> String? {
        guard let folder = WrittenFiles(environment).folder else { return nil }
        do throws(CommandError) {
            try PrivateFolder.make(for: folder + "/quota", of: "knot-recommend")
            return folder
        } catch {
            return nil
        }
    }

    /// Those that can be asked; refused where there is none.
    package func required() throws(CommandError) -> [any LiveService] {
        guard all.isEmpty else { return all }
        throw CommandError(
            .configuration,
            "no service is set up, so that nobody can be asked",
            at: "--live",
            todo: "knot-recommend providers list says which variables set one up"
        )
    }
}
