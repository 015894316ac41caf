import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Measures how long this machine keeps a thread waiting that could run while a test runs, so that a limit can be
/// stated beyond it.
///
/// What ends a run is a chain of threads that wake one another, and on a busy machine each of them may have to wait.
/// So all delays are added up; those of a machine with time to spare come to a few milliseconds.
package final class DelayWatch: Sendable {
    private struct Waiting: Sendable {
        var total = Duration.zero
        /// When the sleep under way should be over.
        var due = ContinuousClock.now
    }

    private let waiting = Mutex(Waiting())
    private let isStopped = Atomic(false)

    /// Starts a thread that keeps asking for short sleeps and adds up how much longer they took.
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

    /// Stops measuring and returns the sum of the delays seen.
    package func stop() -> Duration {
        isStopped.store(true, ordering: .releasing)
        // The thread may be waiting at this very moment.
        return waiting.withLock { $0.total + max(.zero, $0.due.duration(to: .now)) }
    }

    private func watch() {
        while !isStopped.load(ordering: .acquiring) {
            waiting.withLock { $0.due = .now + .milliseconds(2) }
            usleep(2_000)
            waiting.withLock { waiting in
                let now = ContinuousClock.now
                waiting.total += max(.zero, waiting.due.duration(to: now))
                waiting.due = now
            }
        }
    }
}
