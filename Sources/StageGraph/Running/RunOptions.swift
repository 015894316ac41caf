/// What one run is given besides its plan.
package struct RunOptions: Sendable {
    package var seed: UInt64
    /// What the run is about, such as a vault's id; a part of every node's seed.
    package var subject: String
    /// Takes the place of the plan's deadline.
    package var deadline: Duration?
    package var effects: EffectMode
    /// Called as nodes end, from any thread; it must be quick.
    package var onProgress: (@Sendable (RunProgress) -> Void)?
    package var cancellation: RunCancellation?
    /// For tests: starts ready nodes and delivers completions in an order drawn from this seed.
    package var shuffle: UInt64?

    package init(
        seed: UInt64 = 0,
        subject: String = "",
        deadline: Duration? = nil,
        effects: EffectMode = .live,
        onProgress: (@Sendable (RunProgress) -> Void)? = nil,
        cancellation: RunCancellation? = nil,
        shuffle: UInt64? = nil
    ) {
        self.seed = seed
        self.subject = subject
        self.deadline = deadline
        self.effects = effects
        self.onProgress = onProgress
        self.cancellation = cancellation
        self.shuffle = shuffle
    }
}
