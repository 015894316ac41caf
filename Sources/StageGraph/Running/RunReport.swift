/// Everything a run left: its outcome, what became of every node and item, and the trace.
package struct RunReport: Sendable {
    package let plan: Plan
    package let seed: UInt64
    package let subject: String
    /// The output of the plan's result node, or what ended the run.
    package let outcome: Result<any Sendable, StageFailure>
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
        plan.nodes.firstIndex { $0.id == node }.flatMap { output(of: $0, as: type) }
    }

    /// The same of the node with this index in the plan.
    package func output<Value>(of index: Int, as type: Value.Type) -> Value? { products[index] as? Value }

    /// True when a reason makes the result less than it could be.
    package var isDegraded: Bool { reasons.contains(where: \.degrades) }

    /// How many items ended in each state, and how many came in.
    package var counts: RunCounts { RunCounts(ledger) }
}

extension RunReport {
    /// Makes the report of a run whose state is finished.
    init(_ state: RunState) {
        plan = state.plan
        seed = state.seed
        subject = state.subject
        elapsed = state.finished ?? .zero
        products = state.nodes.indices.map { state.nodes[$0].output }
        // By index, here and below: nodes and their progress are large to copy.
        nodes = state.nodes.indices.map { index in
            NodeReport(
                node: state.plan.nodes[index].id,
                kind: state.plan.nodes[index].stage.kind,
                role: state.plan.nodes[index].stage.role,
                state: state.nodes[index].state ?? .cancelled,
                failure: state.nodes[index].failure,
                attempts: state.nodes[index].attempts,
                started: state.nodes[index].started,
                ended: state.nodes[index].ended,
                incoming: state.nodes[index].product?.incoming,
                outgoing: state.nodes[index].product?.outgoing,
                arrivedLate: state.nodes[index].arrivedLate
            )
        }
        var builder = LedgerBuilder()
        for index in state.plan.order where state.nodes[index].state == .succeeded {
            builder.read(state.nodes[index].logged.entries, of: state.plan.nodes[index].id)
        }
        ledger = builder.ledger()
        let broken = ledger.violations.first.map { StageFailure(.stage, code: StageFailure.brokenLaw, $0) }
        let failure = state.failure ?? broken
        failedNode = state.failedNode.map { state.plan.nodes[$0].id }
        if let failure {
            outcome = .failure(failure)
        } else if let value = products[state.plan.result] {
            outcome = .success(value)
        } else {
            outcome = .failure(
                StageFailure(.stage, code: "no_result", "the run ended without result and without failure")
            )
        }
        reasons = state.nodes.indices.flatMap { index in
            state.nodes[index].failure == nil
                ? state.nodes[index].logged.reasons
                : Self.reasons(of: state.plan.nodes[index], state.nodes[index], in: state.plan)
        }
        trace = TraceLog(
            plan: plan,
            seed: seed,
            subject: subject,
            sections: state.nodes.indices.map { [nodes] index in
                TraceLog.Section(
                    report: nodes[index],
                    setbacks: state.nodes[index].setbacks,
                    entries: state.nodes[index].logged.entries
                )
            },
            reasons: reasons,
            failure: failure,
            elapsed: elapsed
        )
    }

    private static func reasons(of node: PlanNode, _ progress: NodeProgress, in plan: Plan) -> [RunReason] {
        var reasons = progress.logged.reasons
        guard let failure = progress.failure else { return reasons }
        let code = node.stage.role == .source ? "provider_failed" : "node_failed"
        switch progress.state {
        case .substituted?:
            let stand = node.substitute.map { plan.nodes[$0].id.text } ?? ""
            reasons.append(
                RunReason(code: code, node: node.id, detail: "\(failure); \(stand) stands in", degrades: true)
            )
        case .failed?, .timedOut?, .skipped?:
            reasons.append(RunReason(code: code, node: node.id, detail: failure.description, degrades: true))
        default: break
        }
        return reasons
    }
}

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

/// How many items a run had and how they ended.
package struct RunCounts: Sendable, Equatable {
    package let retrieved: Int
    /// Items that came with an id that had already come, and are not among the retrieved.
    package let doubled: Int
    package let byState: [ItemState: Int]

    init(_ ledger: Ledger) {
        retrieved = ledger.lines.count
        doubled = ledger.doubled
        byState = ledger.lines.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }

    package subscript(state: ItemState) -> Int { byState[state] ?? 0 }
}
