import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Measures how late this machine wakes a thread while a test runs, so that a limit can be stated beyond it.
package final class DelayWatch: Sendable {
    private struct Waiting: Sendable {
        var worst = Duration.zero
        /// When the sleep under way should be over.
        var due = ContinuousClock.now
    }

    private let waiting = Mutex(Waiting())
    private let isStopped = Atomic(false)

    /// Starts a thread that keeps asking for short sleeps and notes how much longer they took.
    package static func start() -> DelayWatch {
        let watch = DelayWatch()
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(watch).toOpaque()
        // The thread takes over the reference made above.
        _ = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<DelayWatch>.fromOpaque(context).takeRetainedValue().watch()
                }
                return nil
            },
            context
        )
        pthread_detach(thread)
        return watch
    }

    /// Stops measuring and returns the longest delay seen, the one under way among them.
    package func stop() -> Duration {
        isStopped.store(true, ordering: .releasing)
        // The thread may be waiting at this very moment.
        return waiting.withLock { max($0.worst, $0.due.duration(to: .now)) }
    }

    private func watch() {
        while !isStopped.load(ordering: .acquiring) {
            waiting.withLock { $0.due = .now + .milliseconds(2) }
            usleep(2_000)
            waiting.withLock { waiting in
                let now = ContinuousClock.now
                waiting.worst = max(waiting.worst, waiting.due.duration(to: now))
                waiting.due = now
            }
        }
    }
}
