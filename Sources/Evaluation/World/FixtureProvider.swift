package import KnotDomain
package import Recommendation
package import StageGraph

/// One provider of a fixture: the candidates that are its own, in file order, whatever it is asked.
package struct FixtureProvider: CandidateProvider {
    private let candidates: [Candidate]

    package init(_ fixture: Fixture, _ name: ProviderName) {
        candidates = fixture.candidates.filter { $0.provider == name }
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] { candidates }
}
