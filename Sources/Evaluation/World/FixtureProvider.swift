package import KnotDomain
package import Recommendation
package import StageGraph

/// One provider of a fixture: the candidates that are its own, in file order, whatever it is asked.
package struct FixtureProvider: CandidateProvider {
    private let candidates: [Candidate]
    private let failure: StageFailure?

    /// With a failure it has nothing but that.
    package init(_ fixture: Fixture, _ name: ProviderName, failure: StageFailure? = nil) {
        let own = fixture.candidates.filter { $0.provider == name }
        // What came twice comes twice: the run counts it.
        let again = fixture.duplicateCandidates.compactMap { id in own.first { $0.id == id } }
        candidates = own + again
        self.failure = failure
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        if let failure { throw failure }
        return candidates
    }
}
