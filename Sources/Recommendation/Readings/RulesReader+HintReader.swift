package import KnotDomain
package import StageGraph

extension RulesReader: HintReader {
    package static let name = "rules"
    package var name: String { Self.name }

    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading {
        await readSideBySide(vault, tier: tier, asOf: asOf)
    }
}
