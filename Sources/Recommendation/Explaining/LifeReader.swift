import JSONDocument
import KnotDomain
import StageGraph

/// Reads one item's life out of the trace.
struct LifeReader {
    private let item: ItemID
    private let findings: RunFindings
    private let showsHints: Bool
    private let summands: [String: ScoreSummand]

    init(_ item: ItemID, _ findings: RunFindings, showsHints: Bool) {
        self.item = item
        self.findings = findings
        self.showsHints = showsHints
        var summands: [String: ScoreSummand] = [:]
        if let ranking = findings.ranking, let entry = ranking.entries.first(where: { $0.item.itemID == item }) {
            let weights = ScoreSummand.weights(in: ranking, columns: findings.columns)
            let all = ScoreSummand.all(of: entry.total, item: item, weights: weights, columns: findings.columns)
            for summand in all { summands[summand.name] = summand }
        }
        self.summands = summands
    }

    /// Node after node in the plan's order; what a node did not say is added where its output shows it.
    func steps() -> [LifeStep] {
        let plan = findings.run.plan
        return plan.order.flatMap { index -> [LifeStep] in
            let node = plan.nodes[index]
            let entries = findings.run.report.trace.sections[index].entries.filter { $0.concerns(item) }
            var events = entries.compactMap { event(of: $0, at: node) }
            if events.isEmpty, node.stage.role == .filter,
                findings.run.report.output(of: node.id, as: Pool<Offer>.self)?.items.contains(where: {
                    $0.itemID == item
                }) == true
            {
                events = [.kept]
            }
            if events.isEmpty, node.stage.role == .scorer, let summand = summands[node.id.text] {
                events = [.unscored(summand)]
            }
            return events.map { LifeStep(node: node.id, event: $0) }
        }
    }

    private func event(of entry: NotebookEntry, at node: PlanNode) -> LifeStep.Event? {
        switch entry {
        case .stage(let event): .noted(Self.words(event))
        case .item(let event): self.event(of: event, at: node)
        }
    }

    private func event(of event: ItemEvent, at node: PlanNode) -> LifeStep.Event? {
        switch event {
        case .retrieved: .retrieved
        case .duplicated: .duplicated
        case .merged(let merge) where merge.absorbed == merge.survivor: .duplicated
        case .merged(let merge) where merge.survivor == item: .absorbed(merge.absorbed, why: merge.why)
        case .merged(let merge): .mergedInto(merge.survivor, why: merge.why)
        case .cut(let removal): .cut(reason: removal.reason, evidence: evidence(of: removal))
        case .dropped(let removal): .dropped(reason: removal.reason, evidence: evidence(of: removal))
        case .lost(let removal): .lost(reason: removal.reason, evidence: evidence(of: removal))
        case .flagged(_, let flags): .flagged(flags)
        case .scored(let column): scored(column, at: node)
        case .nonFinite: .nonFinite
        case .totalled(let totals): totalled(totals)
        case .selected(_, let position): .selected(position: position + 1)
        case .reserved(_, let position): .reserved(position: position + 1)
        case .notSelected: .notSelected
        case .chosen(_, let position, let verdict, let refilledFrom):
            .chosen(position: position + 1, verdict: verdict, refilledFrom: refilledFrom.map { $0 + 1 })
        case .unused: .unused
        case .relaxed: nil
        }
    }

    private func scored(_ column: ScoreColumn, at node: PlanNode) -> LifeStep.Event? {
        guard let contribution = column[item] else { return nil }
        let summand =
            summands[node.id.text]
            ?? ScoreSummand(
                name: node.id.text,
                value: contribution.value,
                weight: nil,
                part: contribution.value,
                isSilent: false
            )
        let lines = contribution.evidence.map { EvidenceLine($0, findings.brief, showsHints: showsHints) }
        return .scored(summand, evidence: lines)
    }

    private func totalled(_ totals: [ItemEvent.Totalled]) -> LifeStep.Event? {
        guard let place = totals.firstIndex(where: { $0.item == item }) else { return nil }
        return .totalled(score: totals[place].total.score, rank: place + 1, of: totals.count)
    }

    /// A filter names the hint it went by as `hint ID`; a person also wants to know of which day it is.
    private func evidence(of removal: Removal) -> String {
        guard removal.evidence.hasPrefix("hint ") else { return removal.evidence }
        return EvidenceLine.hint(String(removal.evidence.dropFirst(5)), findings.brief, showsHints: showsHints)
    }

    private static func words(_ event: TraceEvent) -> String {
        event.fields.object?.isEmpty == false
            ? "\(event.name) \(JSONWriter.text(event.fields, style: .compact))" : event.name
    }
}
