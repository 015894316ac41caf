package import JSONDocument
package import KnotDomain
import Recommendation
package import StageGraph

/// The single changes that would have chosen a candidate, the smallest first; every one of them was tried.
package struct SmallestChange: Sendable {
    package let candidate: CandidateID
    /// True when nothing needs to change.
    package let isChosen: Bool
    /// By relative change, far-fetched ones last; equal ones in the order of the plan.
    package let changes: [ConfirmedChange]
    /// Verdicts that were turned over in vain.
    package let vain: [IneffectiveChange]
    /// How many parameters were turned.
    package let parameters: Int
    /// How often the run was done again.
    package let reruns: Int
    /// Runs among them that failed, such as those that ask a recording for what it does not hold.
    package let failures: Int
    /// The most it may be done again; when it was reached, what is larger than `searched` was not all tried.
    package let limit: Int
    package let hasReachedLimit: Bool
    /// A narrowed change was tried in vain when smaller by this share of itself.
    package let precision: Double
    /// Every parameter that matters was turned this far, as a share of itself; infinite where all reached their ends.
    package let searched: Double
    /// The parameters that were not turned farther than that.
    package let left: [String]

    package var best: ConfirmedChange? { changes.first }
}

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

/// A verdict that would not have helped had it been the other way, and what would have become of the candidate then.
package struct IneffectiveChange: Sendable, Equatable {
    package let node: NodeID
    package let reason: String
    package let evidence: String
    /// How the candidate then ended, and where; nil when there was no answer, as with what a recording does not hold.
    package let state: ItemState?
    package let decidedBy: NodeID?
    /// The reason given there, where there is one.
    package let then: String?
}

/// One thing that could have been different in a run, and nothing else.
package enum Hypothesis: Sendable, Equatable {
    /// One parameter had another value.
    case setting(CommandLineSetting)
    /// One filter or shortlist had kept one item.
    case kept(ItemID, at: NodeID)
    /// The check had found one item available.
    case available(ItemID)
}

/// What one run meant for one item, and enough besides to see whether a change had any effect.
struct RerunOutcome: Sendable, Equatable {
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

    func inVain(_ trial: RerunOutcome) -> IneffectiveChange {
        // With a recording the world cannot answer what nobody asked it then: no state, no further reason.
        IneffectiveChange(
            node: node,
            reason: reason,
            evidence: evidence,
            state: trial.state,
            decidedBy: trial.decidedBy,
            then: trial.reason
        )
    }
}
