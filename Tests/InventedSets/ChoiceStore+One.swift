package import PostgresClient
package import VaultStore

extension ChoiceStore {
    /// Stores one set, with what its run learned on its way.
    package func store(
        _ record: SetRecord,
        with more: [SQLQuery] = [],
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> StoredSet {
        try await store(all: [PendingSet(record, with: more)], each: deadline - .now)[0].get()
    }
}
