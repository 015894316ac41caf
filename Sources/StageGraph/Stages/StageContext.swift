/// What the runner lends a stage for one call: its name, its seed, the trace, the effects and the time left.
package struct StageContext: Sendable {
    package let node: NodeID
    /// Kept as what the seed is made of: most stages are not random.
    let seedSource: NodeSeed
    /// When this call's life ends, on the monotonic clock.
    package let deadline: ContinuousClock.Instant
    /// Until when the nodes after this one wait for it, never after the deadline: it is for what an effect may take.
    package let answerBy: ContinuousClock.Instant
    package let effects: EffectGateway
    package let deadlines: DeadlineScheduler
    let log: NodeLog

    /// From the run's seed, the subject and the node's name: the same in every run with the same three.
    package var seed: UInt64 { seedSource.value }

    /// How much of this call's life is left; it is for what an effect may take and decides nothing else, since a replay has
    /// all the time it needs.
    package var timeLeft: Duration { ContinuousClock.now.duration(to: deadline) }

    /// Records something the reader of the result must know.
    package func note(_ code: String, _ detail: String, degrades: Bool) {
        log.note(RunReason(code: code, node: node, detail: detail, degrades: degrades))
    }

    /// Adds one event to the trace; fields must not hold hint texts.
    package func trace(_ event: TraceEvent) {
        log.trace(event)
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

extension StageContext {
    /// A context for one stage outside any graph, such as in its tests; what it notes can be read from the log.
    package init(
        alone node: NodeID,
        seed: UInt64 = 0,
        effects: EffectMode = .live,
        deadlines: DeadlineScheduler,
        life: Duration = .seconds(60),
        log: NodeLog = NodeLog()
    ) {
        let deadline = ContinuousClock.now + life
        self.init(
            node: node,
            seedSource: .given(seed),
            deadline: deadline,
            answerBy: deadline,
            effects: EffectGateway(node: node, mode: effects, log: log),
            deadlines: deadlines,
            log: log
        )
    }
}

/// The name of one node of a graph, as its definition writes it.
package struct NodeID: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral value: String) {
        text = value
    }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
    package var description: String { text }
}
