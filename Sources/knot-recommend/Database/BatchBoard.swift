import KnotDomain
import Synchronization

/// Where the stages of a batch note what became of each vault.
final class BatchBoard: Sendable {
    private let state: Mutex<BatchTally>
    private let show: @Sendable (String) -> Void

    /// Shows how far the batch is whenever that changes.
    init(total: Int, show: @escaping @Sendable (String) -> Void) {
        state = Mutex(BatchTally(total: total))
        self.show = show
    }

    var tally: BatchTally { state.withLock { $0 } }

    /// True when nothing more is to be begun.
    var isStopped: Bool { state.withLock { $0.stoppedBy != nil } }

    func count(_ endings: [(vault: VaultID, ending: BatchTally.Ending)]) {
        guard !endings.isEmpty else { return }
        let progress = state.withLock { tally in
            for (vault, ending) in endings { tally.count(ending, of: vault) }
            return tally.progress
        }
        show(progress)
    }

    /// Ends the batch before its last vault.
    func stop(_ error: CommandError) {
        state.withLock { $0.stoppedBy = $0.stoppedBy ?? error }
    }
}
