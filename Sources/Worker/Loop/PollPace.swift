/// How long a loop waits before it asks the queue again: at once while there is work, ever longer while there is none.
struct PollPace: Sendable {
    private let shortest: Duration
    private let longest: Duration
    private var next: Duration
    /// Answers that failed, one after another.
    private(set) var failures = 0

    init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    /// After jobs were found.
    mutating func found() {
        next = shortest
        failures = 0
    }

    /// After none was found: the wait, somewhat longer or shorter by chance (0 to 1), so that workers come apart.
    mutating func idle(chance: Double) -> Duration {
        failures = 0
        return wait(chance: chance, spread: 0.2)
    }

    /// After the queue could not be asked: the same, spread wide, since others wait for the same server.
    mutating func failed(chance: Double) -> Duration {
        failures += 1
        return wait(chance: chance, spread: 0.5)
    }

    private mutating func wait(chance: Double, spread: Double) -> Duration {
        defer { next = min(next * 2, longest) }
        return next * (1 + spread * (2 * chance - 1))
    }
}
