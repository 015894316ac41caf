/// How often a node is tried again after a provider or platform failure.
package struct RetryPolicy: Sendable, Equatable {
    /// All calls together, the first one included.
    package let attempts: Int
    /// The longest pause before the second call; it doubles with each further one and a seeded part of it is waited.
    package let base: Duration

    package init(attempts: Int, base: Duration) {
        self.attempts = attempts
        self.base = base
    }

    /// The pause after a number of failed calls, drawn evenly from zero to the doubled base.
    func pause(after failures: Int, using generator: inout SeededGenerator) -> Duration {
        base * Double(1 << min(failures - 1, 20)) * generator.unit()
    }
}
