package import KnotDomain
package import Recommendation
package import StageGraph

extension ProviderQuery {
    /// What several providers have together, each id once, the first provider's before the others'.
    ///
    /// One that fails is left out and noted as long as another has something.
    package func answer(of providers: [any CandidateProvider]) async throws(StageFailure) -> [Candidate] {
        var found: [Candidate] = []
        var ids: Set<CandidateID> = []
        var failures: [StageFailure] = []
        for provider in providers where found.count < limit {
            do throws(StageFailure) {
                found += try await provider.candidates(for: self).filter { ids.insert($0.id).inserted }
            } catch {
                guard error.failureClass.isRetryable else { throw error }
                failures.append(error)
            }
        }
        if found.isEmpty, let failure = failures.first { throw failure }
        for failure in failures { shortfalls.note("a part of the catalogue was left out: \(failure.detail)") }
        return Array(found.prefix(limit))
    }
}
