import KnotDomain
import VaultStore

/// A vault of a batch whose set is ready to be stored with others.
struct FinishedVault: Sendable {
    let id: VaultID
    let set: PendingSet
    /// How the run ended.
    let outcome: String
    /// Up to here.
    let times: BatchTimes
}
