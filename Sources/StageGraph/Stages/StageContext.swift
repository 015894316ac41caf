/// What the runner lends a stage for one call: its name, its seed, the trace, the effects and the time left.
package struct StageContext: Sendable {
    package let node: NodeID
    /// Kept as what the seed is made of: most stages are not random.
    let seedSource: NodeSeed
    /// When this call's life ends, on the monotonic clock.
    package let deadline: ContinuousClock.Instant
    package let effects: EffectDesk
    package let deadlines: DeadlineKeeper
    let notebook: NodeNotebook

    /// From the run's seed, the subject and the node's name: the same in every run with the same three.
    package var seed: UInt64 { seedSource.value }

    /// How much of this call's life is left; it is for what an effect may take and decides nothing else, since a replay has
    /// all the time it needs.
    package var timeLeft: Duration { ContinuousClock.now.duration(to: deadline) }

    /// Records something the reader of the result must know.
    package func note(_ code: String, _ detail: String, degrades: Bool) {
        notebook.note(RunReason(code: code, node: node, detail: detail, degrades: degrades))
    }

    /// Adds one event to the trace; fields must not hold hint texts.
    package func trace(_ event: TraceEvent) {
        notebook.trace(event)
    }

    /// Throws once the run has been cancelled or this call's life is over.
    package func checkCancellation() throws(StageFailure) {
        if Task.isCancelled {
            throw StageFailure(.cancelled, code: "cancelled", "node \(node) was told to stop")
        }
    }

    /// A generator that gives the same numbers in every run with the same seed.
    package func generator() -> SeededGenerator { SeededGenerator(seed: seed) }
}
