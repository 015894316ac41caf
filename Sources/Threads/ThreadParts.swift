import Glibc

/// Work cut into parts that threads of our own do side by side; when the call returns, all of them have ended.
package enum ThreadParts {
    /// Neighbouring ranges of nearly equal size, none empty; no range for no rows.
    package static func split(_ count: Int, into parts: Int) -> [Range<Int>] {
        let parts = max(1, min(parts, count))
        return (0..<parts).map { part in count * part / parts..<count * (part + 1) / parts }.filter { !$0.isEmpty }
    }

    package static func run(_ parts: [Range<Int>], _ body: @escaping @Sendable (Range<Int>) -> Void) {
        _ = map(parts, body)
    }

    /// One result for each part, in the order of the parts.
    ///
    /// The caller's thread does the first.
    package static func map<Result: Sendable>(
        _ parts: [Range<Int>],
        _ body: @escaping @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        guard let first = parts.first else { return [] }
        guard parts.count > 1 else { return [body(first)] }
        let others = parts.dropFirst().map { part in WorkThread { body(part) } }
        let own = body(first)
        return [own] + others.map { $0.result() }
    }
}

/// A value that is worked out on a thread of its own.
struct WorkThread<Value: Sendable> {
    private let job: Job
    /// Nil when the system had no thread left.
    private let thread: ParkedThread?

    /// The work, and where the thread leaves its value.
    private final class Job: Sendable {
        let work: @Sendable () -> Value
        let value = LockedValue<Value?>(nil)

        init(_ work: @escaping @Sendable () -> Value) { self.work = work }
    }

    init(_ work: @escaping @Sendable () -> Value) {
        let job = Job(work)
        self.job = job
        thread = ParkedThread.take()
        thread?.start {
            let result = job.work()
            job.value.withLock { $0 = result }
        }
    }

    /// Waits for the thread's end; where none could be started, the caller does the work.
    ///
    /// To be called once.
    func result() -> Value {
        if let thread {
            thread.wait()
            ParkedThread.put(thread)
        }
        return job.value.withLock { $0 } ?? job.work()
    }
}

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

/// A value that several threads share, behind a lock of the system's.
///
/// The thread sanitizer knows such a lock; what it would see of the standard library's `Mutex` are unordered accesses.
@safe final class LockedValue<Value>: @unchecked Sendable {
    // Proof of @unchecked Sendable: `value` is touched only between locking and unlocking.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: sending Value) {
        unsafe lock = .allocate(capacity: 1)
        self.value = value
        // The memory is this object's until its end, and no attributes are asked for.
        let result = unsafe pthread_mutex_init(lock, nil)
        precondition(result == 0, "the system refused a lock")
    }

    deinit {
        // Nobody holds a reference any more, so nobody holds the lock.
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    /// Lends the value to one caller at a time; `body` must not come back here.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
