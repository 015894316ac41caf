import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Measures how late this machine wakes a thread while a test runs, so that a limit can be stated beyond it.
package final class DelayWatch: Sendable {
    private let worst = Mutex(Duration.zero)
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

    /// Stops measuring and returns the longest delay seen.
    package func stop() -> Duration {
        isStopped.store(true, ordering: .releasing)
        return worst.withLock { $0 }
    }

    private func watch() {
        while !isStopped.load(ordering: .acquiring) {
            let start = ContinuousClock.now
            usleep(2_000)
            let delay = start.duration(to: .now) - .milliseconds(2)
            worst.withLock { $0 = max($0, delay) }
        }
    }
}
