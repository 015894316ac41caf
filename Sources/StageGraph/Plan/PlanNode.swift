/// One node of a plan: checked, with every parameter resolved.
package struct PlanNode: Sendable {
    /// One input and the nodes that feed it, by index in the plan, in declared order.
    package struct Feed: Sendable {
        package let input: InputDeclaration
        package let nodes: [Int]
        /// How many of them must have come for the node to start.
        package let minimum: Int
    }

    package let id: NodeID
    package let index: Int
    package let stage: StageFacts
    package let feeds: [Feed]
    /// Every declared parameter, set or not.
    package let parameters: ParameterValues
    package let policy: NodePolicy
    /// The node whose output stands in when this one fails.
    package let substitute: Int?
    package let wait: Duration?
    package let life: Duration?
    package let retry: RetryPolicy?
    let place: SourcePlace

    /// True when the run goes on without this node.
    package var isTolerated: Bool { policy == .optional }
}
