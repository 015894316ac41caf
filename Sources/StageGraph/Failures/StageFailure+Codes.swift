/// The codes the runner itself gives; stages have codes of their own.
extension StageFailure {
    /// Time ran out; never retried, since no time is left.
    package static let deadline = "deadline"
    /// A replay asked for an effect that was not recorded; never tolerated.
    package static let effectMissing = "effect_missing"
    /// Another plan asked for what a recording does not know; its nodes fall back as they do for an outage.
    package static let notRecorded = "not_recorded"
    /// A recorded effect is not in a form that can be read; never tolerated.
    package static let effectUnreadable = "effect_unreadable"
    /// What an effect brought cannot be written so that a replay would read the same.
    package static let effectUnwritable = "effect_unwritable"
    /// Too many threads are lost in calls that never returned.
    package static let executorExhausted = "executor_exhausted"
    /// A stage broke one of its role's laws.
    package static let brokenLaw = "broken_law"
    /// Fewer inputs arrived than the node needs.
    package static let inputMissing = "input_missing"

    /// True for what must end the run even at an optional node.
    var isNeverTolerated: Bool {
        failureClass == .stage || code == Self.effectMissing || code == Self.effectUnreadable
    }

    /// True when time ran out, as opposed to something going wrong.
    package var isDeadline: Bool { failureClass == .platform && code == Self.deadline }

    static func brokenLaw(_ node: NodeID, _ detail: String) -> StageFailure {
        StageFailure(.stage, code: brokenLaw, "node \(node): \(detail)")
    }
}
