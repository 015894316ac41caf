package import KnotDomain
package import PostgresClient
import Scheduling
package import VaultStore

/// What somebody makes of stored vaults: plans, or rehearsals.
///
/// Whoever makes the set of a reminder refuses a vault that is not whole, and it is better known weeks before: where sets
/// are to come, all of the vault is read.
package struct MadeOfVault<Made: Sendable>: Sendable {
    package let make: @Sendable (PlannedVault) -> Made
    /// Whether there are reminders in it for which sets are to be made.
    package let hasSets: @Sendable (Made) -> Bool

    package init(
        _ make: @escaping @Sendable (PlannedVault) -> Made,
        hasSets: @escaping @Sendable (Made) -> Bool
    ) {
        self.make = make
        self.hasSets = hasSets
    }

    /// A vault with what is made of it.
    package typealias Each = (vault: PlannedVault, made: Made)
}

extension ReminderStore {
    /// What is made of one vault.
    package func made<Made>(
        _ making: MadeOfVault<Made>,
        of id: PostgresUUID,
        at now: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> MadeOfVault<Made>.Each {
        let found = try await vault(id, at: now, until: deadline)
        let made = making.make(found)
        let refused = making.hasSets(made) ? try await refused([found.subject.vault], until: deadline) : [:]
        if let error = refused.values.first { throw error }
        return (found, made)
    }

    /// What is made of a page of vaults in the order of their ids, those after `id`; a page that is not full is the last.
    ///
    /// A vault of which nothing can be made stands in it with its error and stops no other.
    package func page<Made>(
        _ making: MadeOfVault<Made>,
        after id: VaultID?,
        limit: Int,
        at now: Instant,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [(id: VaultID, result: Result<MadeOfVault<Made>.Each, VaultStoreError>)] {
        let page = try await page(after: id, limit: limit, at: now, until: deadline).map { id, result in
            (id: id, result: result.map { (vault: $0, made: making.make($0)) })
        }
        let toCome = page.compactMap { id, result in
            if case .success(let each) = result, making.hasSets(each.made) { id } else { nil }
        }
        let refused = try await refused(toCome, until: deadline)
        return page.map { id, result in (id, refused[id].map(Result.failure) ?? result) }
    }

    /// Those of these vaults that no set can be made for as they are stored, and why.
    private func refused(
        _ ids: [VaultID],
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [VaultID: VaultStoreError] {
        var refused: [VaultID: VaultStoreError] = [:]
        for start in stride(from: 0, to: ids.count, by: 50) {
            let some = Array(ids[start..<min(start + 50, ids.count)])
            let group = try await PostgresVaultSource.group(
                some,
                pool,
                embeddings: .none,
                readsCatalogue: false,
                until: deadline
            )
            for id in some {
                do throws(VaultStoreError) { _ = try group.stored(id) } catch { refused[id] = error }
            }
        }
        return refused
    }
}
