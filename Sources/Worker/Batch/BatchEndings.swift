import Synchronization

/// How the jobs of one batch ended since its claim; its observer hears of each.
final class BatchEndings: Sendable {
    let start = ContinuousClock.now
    private let endings = Mutex<[JobEnding]>([])
    private let observer: any WorkerObserver

    init(_ observer: any WorkerObserver) {
        self.observer = observer
    }

    /// How its jobs ended, in the order in which they did.
    var all: [JobEnding] { endings.withLock { $0 } }

    func ended(_ ending: JobEnding) {
        endings.withLock { $0.append(ending) }
        observer.saw(.ended(ending))
    }
}
