package import KnotDomain
package import StageGraph

/// Looks whether one item can still be had.
package protocol AvailabilityChecker: Sendable {
    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe
}
