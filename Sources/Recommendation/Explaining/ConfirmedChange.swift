package import JSONDocument
package import KnotDomain
package import StageGraph

/// A single change after which a candidate was chosen, because the run was done again with it.
package struct ConfirmedChange: Sendable {
    package enum Change: Sendable, Equatable {
        case parameter(node: NodeID, name: String, from: JSONValue, to: JSONValue)
        /// A filter or shortlist had kept the candidate.
        case verdict(node: NodeID, reason: String, evidence: String)
        /// The check had found the candidate available.
        case availability(node: NodeID, reason: String, evidence: String)
    }

    package let change: Change
    /// What was changed, for whoever wants to run it again.
    package let hypothesis: Hypothesis
    /// The share of itself that the value changed by; a verdict or a switch changes wholly, by 1.
    package let relativeChange: Double
    /// False when the search ended before it could make the change smaller.
    package let isNarrowed: Bool
    /// Whether nobody would make it, since it starves a stage; such changes come last, whatever their size.
    package let isFarFetched: Bool
    /// What the three then were.
    package let choices: [CandidateID]
}
