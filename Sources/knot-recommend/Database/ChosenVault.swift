import Recommendation

/// A vault of a batch whose run has ended, and is yet to be kept.
final class ChosenVault: Sendable {
    let vault: BatchVault
    let run: EngineRun
    /// Up to here.
    let times: BatchTimes

    init(_ vault: BatchVault, _ run: EngineRun, _ times: BatchTimes) {
        self.vault = vault
        self.run = run
        self.times = times
    }
}
