package import StageGraph

/// A verdict that would not have helped had it been the other way, and what would have become of the candidate then.
package struct VainVerdict: Sendable, Equatable {
    package let node: NodeID
    package let reason: String
    package let evidence: String
    /// How the candidate then ended, and where; nil when there was no answer, as with what a recording does not hold.
    package let state: ItemState?
    package let decidedBy: NodeID?
    /// The reason given there, where there is one.
    package let then: String?
}
