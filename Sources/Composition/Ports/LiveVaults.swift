package import ChoiceService
package import Console
import HTTPClient
package import KnotDomain
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
        live.asksServices = true
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

    func expects(_ candidates: [Candidate]) {
        live?.expects(candidates.filter { names.contains($0.provider) })
        other.expects(candidates.filter { !names.contains($0.provider) })
    }

    func gaveUp(on candidate: Candidate, _ failure: StageFailure) {
        (names.contains(candidate.provider) ? live : other)?.gaveUp(on: candidate, failure)
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
    /// What a run lays over its vaults; nothing for one that asks nobody outside.
    ///
    /// Refused where nothing is set up: it would be a run of what lies here, and look like another.
    package static func laying(
        _ outside: LiveOutside?
    ) throws(CommandError) -> (any VaultLoading) -> any VaultLoading {
        guard let outside else { return { $0 } }
        let providers = try outside.providers()
        return { LiveVaults($0, providers: providers, checker: outside.pages) }
    }
}
