import Glibc

/// A lock with a condition, for threads of our own that must sleep until something happens or a time has come.
///
/// `Mutex` has no condition to wait for, and nothing here may sleep on the shared pool.
@safe package final class Monitor<State: Sendable>: @unchecked Sendable {
    // Proof of @unchecked Sendable: `state` is touched only between lock and unlock of `mutex`.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        // Each call gets a pointer to memory this object owns until its end.
        let results = unsafe [
            pthread_mutex_init(mutex, nil),
            pthread_condattr_init(&attributes),
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC),
            pthread_cond_init(condition, &attributes),
            pthread_condattr_destroy(&attributes),
        ]
        precondition(results.allSatisfy { $0 == 0 }, "the system refused a lock")
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs a short body alone; it must not call out.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Lets one waiting thread look again.
    package func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Lets every waiting thread look again.
    package func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }

    /// What a look at the state decided.
    package enum Look<Result> {
        case done(Result)
        /// Sleep until a signal, at most until this instant, then look again.
        case sleep(until: ContinuousClock.Instant?)
    }

    /// Blocks the calling thread until a look at the state is done.
    package func wait<Result>(_ look: (inout State) -> Look<Result>) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            switch look(&state) {
            case .done(let result): return result
            case .sleep(until: nil): unsafe pthread_cond_wait(condition, mutex)
            case .sleep(until: let instant?):
                let left = ContinuousClock.now.duration(to: instant)
                // A time already past is looked at again by the caller, who decides by the clock.
                if left > .zero {
                    var end = Self.monotonic(after: left)
                    unsafe pthread_cond_timedwait(condition, mutex, &end)
                }
            }
        }
    }

    private static func monotonic(after left: Duration) -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let parts = min(left, .seconds(86_400)).components
        let nanoseconds = now.tv_nsec + Int(parts.attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(parts.seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000
        )
    }
}

/// A detached thread that belongs to us and not to the shared pool.
package enum OwnThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread; returns false when the system has none left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        // The thread takes over the one reference made above; when there is no thread it is given back here.
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                    body.run()
                }
                return nil
            },
            context.toOpaque()
        )
        guard result == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
