#if canImport(Glibc)
import Glibc
#endif

/// Measures how long the calling thread was at work; what other threads and processes do meanwhile does not count.
package enum ThreadTime {
    /// Processor time of a body that stays on its thread; nil when it moved to another one.
    package static func measure(_ body: () async throws -> Void) async rethrows -> Duration? {
        let (thread, start) = (pthread_self(), now)
        try await body()
        return pthread_equal(thread, pthread_self()) == 0 ? nil : now - start
    }

    /// Processor time of a body that awaits nothing.
    package static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
