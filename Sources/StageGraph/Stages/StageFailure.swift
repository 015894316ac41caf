/// Why a stage gave no result.
package struct StageFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let failureClass: FailureClass
    /// A short stable code such as `deadline` or `not_found`.
    package let code: String
    /// One sentence without hint texts, secrets or bodies.
    package let detail: String
    /// Whether whoever failed has tried as often as may help, so that a node does not try again.
    package let isSettled: Bool
    /// Whether the same fails again however long one waits, as where a key is refused.
    package let isLasting: Bool

    package init(
        _ failureClass: FailureClass,
        code: String,
        _ detail: String,
        isSettled: Bool = false,
        isLasting: Bool = false
    ) {
        self.failureClass = failureClass
        self.code = code
        self.detail = detail
        self.isSettled = isSettled
        self.isLasting = isLasting
    }

    package var description: String { "\(failureClass.rawValue)/\(code): \(detail)" }
}

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
    /// A source has nobody to ask, which is no outage.
    package static let notConnected = "not_connected"
    /// Sources failed, and all others have nothing.
    package static let sourcesFailed = "sources_failed"
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

/// Whose failure it is; only provider and platform failures are ever retried, and of these none that is settled.
package enum FailureClass: String, CaseIterable, Sendable {
    /// The caller asked for something impossible.
    case request
    /// The vault or another input is not what it must be.
    case data
    /// An outside service failed or answered nonsense.
    case provider
    /// A broken law or a programming error; never tolerated.
    case stage
    /// The machine: no thread, no memory, no disk, no time.
    case platform
    /// The caller gave up.
    case cancelled

    package var isRetryable: Bool { self == .provider || self == .platform }
}

/// Something a reader of the result must know; some reasons make a run degraded, others are notes.
package struct RunReason: Sendable, Hashable {
    package let code: String
    package let node: NodeID?
    package let detail: String
    package let degrades: Bool

    package init(code: String, node: NodeID? = nil, detail: String, degrades: Bool) {
        self.code = code
        self.node = node
        self.detail = detail
        self.degrades = degrades
    }
}
