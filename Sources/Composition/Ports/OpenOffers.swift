import HTTPClient
import KnotDomain
import Recommendation
import StageGraph

/// What a provider has without what leads to this machine: nobody else could follow such a link.
///
/// Origins that whoever runs the program named are theirs to show.
struct OpenOffers: CandidateProvider {
    private let provider: any CandidateProvider
    private let trusted: Set<String>

    init(_ provider: any CandidateProvider, trusted: Set<String>) {
        self.provider = provider
        self.trusted = trusted
    }

    var capabilities: [ProviderCapability] { provider.capabilities }

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let found = try await provider.candidates(for: query)
        let open = found.filter { candidate in
            // What is no such URL leads nowhere, and not here.
            guard let link = try? HTTPURL(candidate.url), link.isLoopback else { return true }
            return trusted.contains(link.origin)
        }
        if open.isEmpty, !found.isEmpty {
            query.shortfalls.note("all that it has leads to this machine, at origins that KNOT_PAGES does not name")
        }
        return open
    }
}
