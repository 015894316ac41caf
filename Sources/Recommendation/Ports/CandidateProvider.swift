package import KnotDomain
package import StageGraph

/// A service that candidates come from.
///
/// An empty answer means it has nothing; an outage is thrown.
package protocol CandidateProvider: Sendable {
    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate]
}
