/// What a node's failure means for the run.
package enum NodePolicy: String, CaseIterable, Sendable {
    /// The run fails with it.
    case required
    /// The run goes on, degraded.
    case optional
}
