import Synchronization

/// The path of one task through an executor: its jobs carry its name, so that a thread it never gives back can be told.
///
/// The task carries one call, or several one after another; of these only the one under way can be given up.
final class ExecutorLane: TaskExecutor, Sendable {
    private struct Carrier {
        var task: Task<Void, Never>?
        /// True once the task is told to stop or has ended: it need not be remembered any more.
        var isOver = false
    }

    private let crew: ExecutorCrew
    private let condemned = Atomic(false)
    private let carrier = Mutex(Carrier())

    init(crew: ExecutorCrew) {
        self.crew = crew
    }

    var isCondemned: Bool { condemned.load(ordering: .acquiring) }

    func enqueue(_ job: consuming ExecutorJob) {
        crew.enqueue(UnownedJob(job), on: self)
    }

    /// Starts the lane's one task.
    func carry(_ work: @escaping @Sendable () async -> Void) {
        let task = Task(executorPreference: self) {
            await work()
            // The task holds the lane, so the lane must not go on holding the task.
            self.carrier.withLock { carrier in
                carrier.isOver = true
                carrier.task = nil
            }
        }
        carrier.withLock { if !$0.isOver { $0.task = task } }
        // Given up before its task was known here.
        if isCondemned { task.cancel() }
    }

    /// Gives the call under way up: threads it holds are replaced, its task is told to stop, and what it still wants to
    /// do is done aside.
    func condemn() {
        guard !condemned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        crew.condemn(self)
        let task = carrier.withLock { carrier in
            defer {
                carrier.isOver = true
                carrier.task = nil
            }
            return carrier.task
        }
        task?.cancel()
    }
}
