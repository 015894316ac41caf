import Synchronization

/// Threads of our own for stages: one that spins or blocks starves neither timers nor, for long, other stages.
package final class StageExecutor: TaskExecutor, Sendable {
    let pool: WorkerPool
    private let commonLane: TaskLane

    /// - Parameters:
    ///   - threads: How many stages may compute at one moment.
    ///   - lossLimit: How many threads may be missing at one moment before new calls are refused.
    package init(threads: Int, lossLimit: Int = 16) {
        precondition(threads > 0 && lossLimit > 0, "an executor needs a thread and may lose one")
        pool = WorkerPool(threads: threads, lossLimit: lossLimit)
        commonLane = TaskLane(pool: pool)
    }

    deinit {
        pool.shutDown()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        commonLane.enqueue(job)
    }

    /// A path for one call: the one that its predecessor has just left, or a fresh one.
    package func lane(following last: TaskLane?) throws(ExecutorExhausted) -> TaskLane {
        if pool.isExhausted { throw ExecutorExhausted(lost: pool.lostNow) }
        return last ?? TaskLane(pool: pool)
    }
}

/// An executor was asked for a path while too many of its threads are lost, or after it was shut down.
package struct ExecutorExhausted: Error {
    /// How many threads have not come back.
    package let lost: Int
}

/// The path of one task through an executor: its jobs carry its name, so that a thread it never gives back can be told.
///
/// The task carries one call, or several one after another; of these only the one under way can be given up.
package final class TaskLane: TaskExecutor, Sendable {
    private struct Carrier {
        var task: Task<Void, Never>?
        /// True once the task is told to stop or has ended: it need not be remembered any more.
        var isOver = false
    }

    private let pool: WorkerPool
    private let condemned = Atomic(false)
    private let carrier = Mutex(Carrier())

    init(pool: WorkerPool) {
        self.pool = pool
    }

    var isCondemned: Bool { condemned.load(ordering: .acquiring) }

    package func enqueue(_ job: consuming ExecutorJob) {
        pool.enqueue(UnownedJob(job), on: self)
    }

    /// Starts the lane's one task.
    package func carry(_ work: @escaping @Sendable () async -> Void) {
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
    package func condemn() {
        guard !condemned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pool.condemn(self)
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
