/// Everything a run left: its outcome, what became of every node and item, and the trace.
package struct RunReport: Sendable {
    package let plan: Plan
    package let seed: UInt64
    package let subject: String
    /// The output of the plan's result node, or what ended the run.
    package let outcome: Result<any Sendable, StageFailure>
    /// The node that failed, when one did.
    package let failedNode: NodeID?
    /// In declared order.
    package let nodes: [NodeReport]
    /// In declared order of their nodes.
    package let reasons: [RunReason]
    package let ledger: Ledger
    package let trace: TraceLog
    package let elapsed: Duration
    let products: [(any Sendable)?]

    /// The result as the type it must have; a wrong type is a programming error and class stage.
    package func result<Value>(as type: Value.Type) throws(StageFailure) -> Value {
        guard let value = try outcome.get() as? Value else {
            throw StageFailure(.stage, code: "result_type", "the plan's result is no \(Value.self)")
        }
        return value
    }

    /// What a node gave, or what stood in for it.
    package func output<Value>(of node: NodeID, as type: Value.Type) -> Value? {
        guard let index = plan[node]?.index else { return nil }
        return products[index] as? Value
    }

    package subscript(node: NodeID) -> NodeReport? {
        nodes.first { $0.node == node }
    }

    /// True when a reason makes the result less than it could be.
    package var isDegraded: Bool { reasons.contains(where: \.degrades) }

    /// How many items ended in each state, and how many came in.
    package var counts: RunCounts { RunCounts(ledger) }
}
