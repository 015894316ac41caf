package import KnotDomain
package import StageGraph

/// Works out what hints mean; the result is validated like any other input.
package protocol HintReader: Sendable {
    /// `rules`, `recorded`, or a model's name; kept beside what it read.
    var name: String { get }

    /// Readings of some or all of a vault's hints; what is left out, the rules read.
    func reading(of vault: Vault, tier: OccasionTier, asOf: Instant) async throws(StageFailure) -> VaultReading
}
