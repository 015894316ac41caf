/// Spreads calls over time: a bucket that holds a few and is filled steadily.
///
/// A value without a clock: every method is given the time.
package struct RateLimit: Sendable {
    /// Time that one call takes up.
    private let interval: Duration
    /// How far calls may run ahead of their time.
    private let lead: Duration
    /// When the next call would be due if calls came steadily.
    private var due: ContinuousClock.Instant?

    /// - Parameters:
    ///   - calls: How many calls a service takes.
    ///   - period: In how long.
    ///   - burst: How many may come at once after a pause.
    package init(calls: Int, per period: Duration, burst: Int = 1) {
        interval = period / max(1, calls)
        lead = interval * max(0, burst - 1)
    }

    /// Takes the next free moment and returns how long to wait for it; nil where the wait would be longer than `patience`.
    package mutating func reserve(at now: ContinuousClock.Instant, patience: Duration) -> Duration? {
        let next = max(due ?? now, now)
        let wait = max(.zero, now.duration(to: next) - lead)
        guard wait <= patience else { return nil }
        due = next + interval
        return wait
    }

    /// Gives back a moment that was taken and not used; moments that others took meanwhile stay theirs.
    package mutating func giveBack(at now: ContinuousClock.Instant) {
        guard let taken = due else { return }
        due = max(taken - interval, now)
    }
}
