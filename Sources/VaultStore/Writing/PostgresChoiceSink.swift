package import Recommendation
package import StageGraph
import Synchronization

/// Where a live run's set goes: taken in while the run is under way, stored when the run can say all of itself.
///
/// Reasons, counts and the outcome belong into the stored run and are only known at its end. Nothing may be printed
/// before `finish` has returned, so that what says "stored" is.
package final class PostgresChoiceSink: ChoiceSink {
    private let store: ChoiceStore
    private let request: WriteRequest
    private let embedder: VaultEmbedder?
    private let isTaken = Mutex(false)

    /// With the run's embedder, what that made for hints is stored with the set.
    package init(_ store: ChoiceStore, _ request: WriteRequest, embedder: VaultEmbedder? = nil) {
        self.store = store
        self.request = request
        self.embedder = embedder
    }

    /// Accepts the set; a retried stage may come again.
    package func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool {
        isTaken.withLock { $0 = true }
        return true
    }

    /// Stores the run's set and returns what is there now; nil when the run handed none in, as a short one does not.
    package func finish(
        _ run: EngineRun,
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> StoredSet? {
        guard let set = try pending(run) else { return nil }
        return try await store.store(set.record, with: set.more, until: deadline)
    }

    /// The run's set for whoever stores it with others; nil when the run handed none in.
    package func pending(_ run: EngineRun) throws(ChoiceStoreError) -> PendingSet? {
        guard isTaken.withLock({ $0 }), case .success = run.result else { return nil }
        return PendingSet(try SetRecord(run, request), with: embedder?.statements ?? [])
    }
}
