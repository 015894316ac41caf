import KnotDomain
import Recommendation
import StageGraph
import VaultStore

/// The vaults of a source without reading twice what was read to prepare the run.
struct ReadVaults: VaultSource {
    let source: PostgresVaultSource

    func vault(_ id: VaultID) async throws(StageFailure) -> Vault {
        do throws(VaultReadError) {
            return try await source.stored(id).vault
        } catch {
            throw error.stageFailure
        }
    }
}
