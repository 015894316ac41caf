import Glibc

/// A thread that sleeps between one work and the next.
///
/// Making a thread and taking it apart again takes a quarter of a millisecond, which is 4 % of what two threads need for
/// a few dozen short texts.
@safe final class ParkedThread: @unchecked Sendable {
    // Proof of @unchecked Sendable: semaphores are made to be used from several threads, and `work` is behind its lock.
    private let wake: UnsafeMutablePointer<sem_t>
    private let done: UnsafeMutablePointer<sem_t>
    private let work = LockedValue<(@Sendable () -> Void)?>(nil)

    /// Those that have nothing to do; more than that are let go.
    private static let idle = LockedValue<[ParkedThread]>([])
    private static let mostIdle = 8

    /// A thread with nothing to do; nil when the system has none left.
    static func take() -> ParkedThread? {
        idle.withLock { $0.popLast() } ?? started()
    }

    /// Takes a thread back whose work has been waited for.
    static func put(_ thread: ParkedThread) {
        let isKept = idle.withLock { idle in
            guard idle.count < mostIdle else { return false }
            idle.append(thread)
            return true
        }
        if !isKept { thread.end() }
    }

    private init() {
        unsafe wake = .allocate(capacity: 1)
        unsafe done = .allocate(capacity: 1)
        // Each call gets a pointer to memory this object owns until its end.
        let results = unsafe [sem_init(wake, 0, 0), sem_init(done, 0, 0)]
        precondition(results.allSatisfy { $0 == 0 }, "the system refused a semaphore")
    }

    deinit {
        // The thread holds a reference for as long as it runs, so nobody waits any more.
        unsafe sem_destroy(wake)
        unsafe sem_destroy(done)
        unsafe wake.deallocate()
        unsafe done.deallocate()
    }

    /// Lets the thread work; to be waited for before the next.
    func start(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0 = work }
        unsafe sem_post(wake)
    }

    /// Sleeps until the work is done.
    func wait() { unsafe Self.wait(for: done) }

    private func end() { unsafe sem_post(wake) }

    /// A signal may wake whoever waits before the time.
    private static func wait(for semaphore: UnsafeMutablePointer<sem_t>) {
        while unsafe sem_wait(semaphore) != 0 {}
    }

    private func run() {
        while true {
            unsafe Self.wait(for: wake)
            // Woken without work, it is no longer wanted.
            guard let work = work.withLock({ work in work.take() }) else { return }
            work()
            unsafe sem_post(done)
        }
    }

    private static func started() -> ParkedThread? {
        let parked = ParkedThread()
        let entry = unsafe Unmanaged.passRetained(parked)
        var thread = pthread_t()
        // The thread takes over the one reference made above; when there is no thread it is given back here.
        let failure = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<ParkedThread>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            entry.toOpaque()
        )
        guard failure == 0 else {
            unsafe entry.release()
            return nil
        }
        // Nobody waits for its end, only for its works.
        pthread_detach(thread)
        return parked
    }
}
