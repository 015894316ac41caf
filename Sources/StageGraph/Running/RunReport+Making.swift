extension RunReport {
    /// Makes the report of a run whose state is finished.
    init(_ state: RunState) {
        plan = state.plan
        seed = state.seed
        subject = state.subject
        elapsed = state.finished ?? .zero
        products = state.nodes.map { $0.product?.value }
        nodes = zip(state.plan.nodes, state.nodes).map { node, progress in
            NodeReport(
                node: node.id,
                kind: node.stage.kind,
                role: node.stage.role,
                state: progress.state ?? .cancelled,
                failure: progress.failure,
                attempts: progress.attempts,
                started: progress.started,
                ended: progress.ended,
                incoming: progress.product?.incoming,
                outgoing: progress.product?.outgoing,
                arrivedLate: progress.arrivedLate
            )
        }
        var keeper = LedgerKeeper()
        for index in state.plan.order where state.nodes[index].state == .succeeded {
            keeper.read(state.nodes[index].pages.entries, of: state.plan.nodes[index].id)
        }
        ledger = keeper.ledger()
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
        reasons = zip(state.plan.nodes, state.nodes).flatMap { node, progress in
            Self.reasons(of: node, progress, in: state.plan)
        }
        trace = TraceLog(
            plan: plan,
            seed: seed,
            subject: subject,
            sections: zip(nodes, state.nodes).map {
                TraceLog.Section(report: $0, setbacks: $1.setbacks, entries: $1.pages.entries)
            },
            reasons: reasons,
            failure: failure,
            elapsed: elapsed
        )
    }

    private static func reasons(of node: PlanNode, _ progress: NodeProgress, in plan: Plan) -> [RunReason] {
        var reasons = progress.pages.reasons
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
