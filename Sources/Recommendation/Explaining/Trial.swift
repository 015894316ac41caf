import KnotDomain
import StageGraph

/// What one run meant for one item, and enough besides to see whether a change had any effect.
struct Trial: Sendable, Equatable {
    let choices: [CandidateID]
    let isChosen: Bool
    let hasFailed: Bool
    let state: ItemState?
    let decidedBy: NodeID?
    let reason: String?
    /// The scores of the three and of the item itself.
    private let scores: [Double]

    init(_ run: EngineRun, of item: ItemID) {
        let chosen = if case .success(let set) = run.result { set.choices } else { [Choice]() }
        choices = chosen.map(\.offer.candidate.id)
        hasFailed = run.outcome == .failed
        isChosen = chosen.contains { $0.offer.itemID == item }
        state = run.report.ledger[item]?.state
        // Not the ledger's node: a verdict that was turned over still stands there, and what came after is asked for.
        let last = Objection.all(to: item, in: run).last
        decidedBy = last?.node
        reason = last?.reason
        var scores = chosen.map(\.ranked.score)
        for section in run.report.trace.sections {
            for case .item(.totalled(let totals)) in section.entries {
                if let own = totals.first(where: { $0.item == item }) { scores.append(own.total.score) }
            }
        }
        self.scores = scores
    }
}
