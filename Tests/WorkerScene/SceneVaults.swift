import ChoiceService
import Composition
import HintRules
import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import VaultStore

/// Vaults of the database as runs need them, with the rules as reader and what was imported as their outside world.
struct SceneVaults: VaultLoading {
    let pool: ConnectionPool
    let points: PointWatch

    func load(_ vault: VaultID) async throws(ChoiceError) -> LoadedVault {
        await points.reach(.beforeVault)
        let stored = try await porting(about: "the database") {
            try await PostgresVaultSource(pool, embeddings: .none, readsCatalogue: true, limit: .seconds(30)).load(
                vault
            )
        }
        await points.reach(.beforeRun)
        let provider = CatalogueProvider(pool, vault: vault, catalogue: stored.catalogue)
        return LoadedVault(
            stored.vault,
            place: "vault \(vault)",
            occasion: nil,
            asOf: nil,
            reader: RulesReader(),
            fallback: RulesReader(),
            providers: [provider],
            checker: CatalogueChecker(pool, vault: vault, catalogue: stored.catalogue),
            embedder: nil,
            rates: .embedded,
            inputs: .parts(["rules"]),
            historyMark: stored.historyMark
        )
    }

    func load(together vaults: [VaultID]) async -> LoadedGroup {
        var group = LoadedGroup([])
        for id in vaults {
            do throws(ChoiceError) {
                group.vaults.append(.success(try await load(id)))
            } catch {
                group.vaults.append(.failure(error))
            }
        }
        return group
    }

    func isThere(_ vault: VaultID) async -> Bool { true }
}
