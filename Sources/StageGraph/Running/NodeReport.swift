/// What became of one node.
package struct NodeReport: Sendable {
    package let node: NodeID
    package let kind: String
    package let role: StageRole
    package let state: NodeState
    /// Why it did not succeed, also when something stood in.
    package let failure: StageFailure?
    package let attempts: Int
    /// Offsets from the run's start; nil when it never ran.
    package let started: Duration?
    package let ended: Duration?
    /// Items that came in and went out, where the role has such.
    package let incoming: Int?
    package let outgoing: Int?
    /// True when a result came after the node had been given up.
    package let arrivedLate: Bool
}
