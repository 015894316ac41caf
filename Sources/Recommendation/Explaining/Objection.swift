import StageGraph

/// One node's decision against an item.
struct Objection: Sendable, Equatable {
    let node: NodeID
    let role: StageRole
    let reason: String
    let evidence: String

    /// In the order of the plan.
    static func all(to item: ItemID, in run: EngineRun) -> [Objection] {
        let trace = run.report.trace
        return run.plan.order.flatMap { index -> [Objection] in
            let section = trace.sections[index]
            return section.entries.compactMap { entry in
                guard case .item(let event) = entry, let (reason, evidence) = objection(to: item, event) else {
                    return nil
                }
                return Objection(
                    node: section.report.node,
                    role: section.report.role,
                    reason: reason,
                    evidence: evidence
                )
            }
        }
    }

    private static func objection(to item: ItemID, _ event: ItemEvent) -> (String, String)? {
        switch event {
        case .dropped(let removal), .cut(let removal), .lost(let removal):
            removal.item == item ? (removal.reason, removal.evidence) : nil
        case .merged(let merge):
            merge.absorbed == item && merge.survivor != item ? (merge.why, "same as \(merge.survivor)") : nil
        case .notSelected(let other): other == item ? ("not_selected", "") : nil
        case .reserved(let other, _): other == item ? ("reserved", "") : nil
        case .unused(let other): other == item ? ("unused", "") : nil
        default: nil
        }
    }

    /// What to try in order to turn the decision over; nil where it is no verdict on the item alone.
    func hypothesis(for item: ItemID) -> Hypothesis? {
        switch role {
        case .filter, .shortlist: .kept(item, at: node)
        case .check: reason == "unused" ? nil : .available(item)
        default: nil
        }
    }

    func inVain(_ trial: Trial) -> VainVerdict {
        // With a recording the world cannot answer what nobody asked it then: no state, no further reason.
        VainVerdict(
            node: node,
            reason: reason,
            evidence: evidence,
            state: trial.state,
            decidedBy: trial.decidedBy,
            then: trial.reason
        )
    }
}
