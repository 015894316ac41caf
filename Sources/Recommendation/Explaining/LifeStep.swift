package import StageGraph

/// One thing that happened to a candidate at one node.
package struct LifeStep: Sendable, Equatable {
    package enum Event: Sendable, Equatable {
        case retrieved
        /// Another candidate came with the same id; the first one stands.
        case duplicated
        case absorbed(ItemID, why: String)
        case mergedInto(ItemID, why: String)
        case cut(reason: String, evidence: String)
        /// Kept by a filter that had nothing to say of it.
        case kept
        case flagged([String])
        case dropped(reason: String, evidence: String)
        /// A scorer's opinion, with its weight where the combiner multiplies by one.
        case scored(ScoreSummand, evidence: [EvidenceLine])
        /// A scorer without an opinion.
        case unscored(ScoreSummand)
        case nonFinite
        case totalled(score: Double, rank: Int, of: Int)
        case selected(position: Int)
        case reserved(position: Int)
        case notSelected
        case chosen(position: Int, verdict: String, refilledFrom: Int?)
        case lost(reason: String, evidence: String)
        case unused
        /// Something a stage itself left in the trace.
        case noted(String)
    }

    package let node: NodeID
    package let event: Event
}
