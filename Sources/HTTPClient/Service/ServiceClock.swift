import Glibc

/// The time, the sleep and the chance of a channel, so that a test can be their master.
package struct ServiceClock: Sendable {
    package var now: @Sendable () -> ContinuousClock.Instant
    /// The time of day.
    package var secondsSince1970: @Sendable () -> Int64
    /// Microseconds of that time, by which calls of several processes are spread.
    package var microsecondsSince1970: @Sendable () -> Int64
    /// From 0 to 1.
    package var random: @Sendable () -> Double
    /// False where the task was cancelled before.
    package var pause: @Sendable (ContinuousClock.Instant) async -> Bool

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        secondsSince1970: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> Double,
        pause: @escaping @Sendable (ContinuousClock.Instant) async -> Bool
    ) {
        self.now = now
        self.secondsSince1970 = secondsSince1970
        microsecondsSince1970 = { secondsSince1970() * 1_000_000 }
        self.random = random
        self.pause = pause
    }

    func sleep(until instant: ContinuousClock.Instant) async -> Bool { await pause(instant) }
}

extension ServiceClock {
    /// This machine's.
    package static let system = {
        var clock = ServiceClock(
            now: { ContinuousClock.now },
            secondsSince1970: { microseconds() / 1_000_000 },
            random: { Double.random(in: 0...1) },
            pause: { instant in
                // The sleep fails only where its task is cancelled.
                do { try await ContinuousClock().sleep(until: instant) } catch { return false }
                return true
            }
        )
        clock.microsecondsSince1970 = { microseconds() }
        return clock
    }()

    private static func microseconds() -> Int64 {
        var time = timespec()
        // The structure outlives the call, which fills it.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
