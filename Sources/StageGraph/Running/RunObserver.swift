/// Watches runs: live progress, counters, spans and kept traces are observers of one and the same events.
///
/// An event may come from any thread and holds up the run, so an observer must be quick. The events of one node come in
/// their order; the report may come before the last of them, and holds what they said.
package protocol RunObserver: Sendable {
    func observe(_ event: RunObservation)
}

/// Something that happened to a run.
package enum RunObservation: Sendable {
    /// The run begins.
    case began(Plan, seed: UInt64, subject: String)
    /// A call of a node begins; the first attempt is 1.
    case started(NodeID, attempt: Int)
    /// A node ended for good.
    case ended(NodeID, NodeState)
    /// The run is over; its report has the times, the counts, the account of every item and the trace.
    case finished(RunReport)
}
