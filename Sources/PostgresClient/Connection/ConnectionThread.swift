import Glibc
import Synchronization
import Threads

/// One thread that runs the jobs of one actor, so that calls which block never hold up the shared pool.
///
/// The thread holds this object until `stop`; only the actor's end calls that, so no job can come after it.
@safe final class ConnectionThread: SerialExecutor, @unchecked Sendable {
    // Proof of @unchecked Sendable: the queue is behind its lock, and the semaphore is made for many threads.
    private struct State {
        var jobs: [UnownedJob] = []
        var isStopped = false
        /// The thread's own name for itself, once it runs.
        var thread: pthread_t?
    }

    private let state = Mutex(State())
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        // The memory is this object's until its end.
        let result = unsafe sem_init(semaphore, 0, 0)
        precondition(result == 0, "the system refused a semaphore")
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Returns false when the system has no thread left.
    func start() -> Bool {
        OwnThread.start { self.work() }
    }

    /// Lets the thread end after the jobs it has.
    func stop() {
        state.withLock { $0.isStopped = true }
        unsafe sem_post(semaphore)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        unsafe sem_post(semaphore)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Asked where the runtime has lost track, as inside a closure that is called by synchronous code.
    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "a connection was touched by a thread that does not own it")
    }

    func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.thread }.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }

    private func work() {
        state.withLock { $0.thread = pthread_self() }
        while true {
            let (jobs, isStopped): ([UnownedJob], Bool) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isStopped)
            }
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
            if isStopped, jobs.isEmpty { return }
            // An interrupted wait only means an idle look at the queue.
            if jobs.isEmpty { unsafe sem_wait(semaphore) }
        }
    }
}
