package import KnotDomain
package import StageGraph

/// Readings that were made before and stored beside a vault.
package struct RecordedReader: HintReader {
    package let name = "recorded"
    private let reading: VaultReading

    package init(_ reading: VaultReading) {
        self.reading = reading
    }

    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading {
        reading
    }
}
