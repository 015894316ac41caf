/// Leaves a service alone that fails too often, and tries it with a few calls after a while.
///
/// A value without a clock: every method is given the time.
package struct CircuitBreaker: Sendable {
    package struct Limits: Sendable {
        /// The time over which calls are counted.
        package var window = Duration.seconds(30)
        /// Calls in the window before their share says anything.
        package var leastCalls = 20
        /// The share of failures that opens it.
        package var share = 0.5
        /// Failures in a row that open it, however few calls there were.
        package var consecutive = 10
        /// How long it stays open at first; it doubles each time that the trial fails.
        package var open = Duration.seconds(30)
        package var longestOpen = Duration.seconds(300)
        /// The share by which the time is longer or shorter, so that not all processes try at once.
        package var jitter = 0.2
        /// Calls that are let through as a trial; all have to succeed.
        package var probes = 3

        package init() {}
    }

    package enum State: Sendable, Equatable {
        case closed
        /// Nothing is sent until then.
        case open(until: ContinuousClock.Instant)
        /// A trial: so many calls are under way, so many have succeeded.
        case halfOpen(underWay: Int, succeeded: Int)
    }

    package enum Permit: Sendable, Equatable {
        case pass
        /// A call of the trial of that number.
        case probe(trial: Int)
        case refuse(for: Duration)
    }

    private let limits: Limits
    package private(set) var state = State.closed
    private var openings = 0
    /// Trials so far: what a call of an earlier one comes to says nothing of this one.
    private var trials = 0
    private var row = 0
    /// Successes and failures of each part of the window, the oldest first.
    private var parts: [(start: ContinuousClock.Instant, good: Int, bad: Int)] = []

    private static let partsOfWindow = 10

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Asks to send a call; whoever passes has to report how it went.
    package mutating func permit(at now: ContinuousClock.Instant) -> Permit {
        switch state {
        case .closed: return .pass
        case .open(let until):
            guard now >= until else { return .refuse(for: now.duration(to: until)) }
            state = .halfOpen(underWay: 1, succeeded: 0)
            trials += 1
            return .probe(trial: trials)
        case .halfOpen(let underWay, let succeeded):
            guard underWay + succeeded < limits.probes else { return .refuse(for: .seconds(1)) }
            state = .halfOpen(underWay: underWay + 1, succeeded: succeeded)
            return .probe(trial: trials)
        }
    }

    /// Reports how a call went that had passed.
    ///
    /// `jitter` is from 0 to 1, anew for each report.
    package mutating func report(
        _ isGood: Bool,
        _ permit: Permit,
        at now: ContinuousClock.Instant,
        jitter: Double
    ) {
        switch (state, permit) {
        case (.halfOpen(let underWay, let succeeded), .probe(trials)):
            guard isGood else { return open(at: now, jitter) }
            if succeeded + 1 >= limits.probes { return close() }
            state = .halfOpen(underWay: underWay - 1, succeeded: succeeded + 1)
        case (.closed, .pass):
            count(isGood, at: now)
            row = isGood ? 0 : row + 1
            let good = parts.reduce(0) { $0 + $1.good }
            let bad = parts.reduce(0) { $0 + $1.bad }
            let isBad = good + bad >= limits.leastCalls && Double(bad) >= limits.share * Double(good + bad)
            if row >= limits.consecutive || isBad { open(at: now, jitter) }
        // A call from before it opened says nothing new.
        default: break
        }
    }

    /// Takes back a permit whose call was never sent.
    package mutating func withdraw(_ permit: Permit) {
        guard permit == .probe(trial: trials), case .halfOpen(let underWay, let succeeded) = state else { return }
        state = .halfOpen(underWay: underWay - 1, succeeded: succeeded)
    }

    /// Opens it for a time that the service gave itself, as when a day's quota is used up.
    package mutating func open(for time: Duration, at now: ContinuousClock.Instant) {
        if case .open(let until) = state, until > now + time { return }
        state = .open(until: now + time)
    }

    private mutating func open(at now: ContinuousClock.Instant, _ jitter: Double) {
        let time = min(limits.longestOpen, limits.open * (1 << min(openings, 16)))
        let factor = 1 + limits.jitter * (2 * min(max(jitter, 0), 1) - 1)
        state = .open(until: now + time * factor)
        openings += 1
        row = 0
        parts = []
    }

    private mutating func close() {
        state = .closed
        openings = 0
        row = 0
        parts = []
    }

    private mutating func count(_ isGood: Bool, at now: ContinuousClock.Instant) {
        let window = limits.window
        let length = window / Self.partsOfWindow
        parts.removeAll { $0.start + window <= now }
        if let last = parts.last, now < last.start + length {
            parts[parts.count - 1].good += isGood ? 1 : 0
            parts[parts.count - 1].bad += isGood ? 0 : 1
        } else {
            parts.append((now, isGood ? 1 : 0, isGood ? 0 : 1))
        }
    }
}
