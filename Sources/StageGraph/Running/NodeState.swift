/// How a node ended; every node of a run ends in exactly one of these.
package enum NodeState: String, CaseIterable, Sendable {
    case succeeded
    /// It failed and another node's output stands in for its own.
    case substituted
    case failed
    case timedOut = "timed_out"
    /// It never ran: an input was missing, or nothing needed it.
    case skipped
    /// The run ended before it did.
    case cancelled

    /// True when there is an output to join.
    package var hasOutput: Bool { self == .succeeded || self == .substituted }
}
