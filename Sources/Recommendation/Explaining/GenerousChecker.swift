import KnotDomain
import StageGraph

/// A checker that finds one candidate in stock and asks another checker about all the rest.
struct GenerousChecker: AvailabilityChecker {
    private let base: any AvailabilityChecker
    private let favourite: CandidateID

    init(_ base: any AvailabilityChecker, generousTo favourite: CandidateID) {
        self.base = base
        self.favourite = favourite
    }

    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        guard candidate.id != favourite else {
            return AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
        }
        return try await base.probe(candidate)
    }
}
