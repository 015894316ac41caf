package import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization

/// Offers everything, and listens to the rules it is given.
package final class RulesListener: CandidateProvider {
    package let capabilities = ProviderCapability.wellKnown.map {
        ProviderCapability($0.name, types: $0.types, isInProcess: true)
    }
    private let candidates: [Candidate]
    private let heard = Mutex<OfferRules?>(nil)

    package init(_ candidates: [Candidate] = []) { self.candidates = candidates }

    package var rules: OfferRules? { heard.withLock { $0 } }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        heard.withLock { $0 = query.rules }
        return candidates.filter { $0.provider == query.provider }
    }
}

extension Scene {
    /// The rules that a search of this scene keeps to.
    package func rules(settings: [String] = [], refresh: RefreshRequest? = nil) async throws -> OfferRules? {
        let listener = RulesListener()
        var ports = ports(refresh: refresh)
        ports.providers = .answering([listener])
        _ = try await run(settings: settings, ports: ports)
        return listener.rules
    }
}
