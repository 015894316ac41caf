import JSONDocument
package import KnotDomain
import Recommendation
package import StageGraph

/// Everything that happened to one candidate, in the order of the plan, and how it ended.
package struct CandidateTimeline: Sendable {
    package let candidate: CandidateID
    /// Nil when the run left nothing but the id.
    package let title: String?
    package let steps: [TimelineStep]
    package let state: ItemState
    /// The node that decided; nil when none did.
    package let node: NodeID?

    package var isChosen: Bool { state == .chosen }

    init(_ candidate: CandidateID, _ findings: RunFindings, showsHints: Bool) throws(UnknownCandidateError) {
        let item = ItemID(candidate.text)
        let report = findings.run.report
        guard let line = report.ledger[item] else {
            throw UnknownCandidateError(candidate, known: report.ledger.lines.map(\.item.text))
        }
        self.candidate = candidate
        title = findings.offers[item]?.candidate.title
        state = line.state
        node = line.node
        steps = TimelineReader(item, findings, showsHints: showsHints).steps()
    }
}

/// One thing that happened to a candidate at one node.
package struct TimelineStep: Sendable, Equatable {
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

/// Reads one item's life out of the trace.
struct TimelineReader {
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
    func steps() -> [TimelineStep] {
        let plan = findings.run.plan
        return plan.order.flatMap { index -> [TimelineStep] in
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
            return events.map { TimelineStep(node: node.id, event: $0) }
        }
    }

    private func event(of entry: NodeLogEntry, at node: PlanNode) -> TimelineStep.Event? {
        switch entry {
        case .stage(let event): .noted(Self.words(event))
        case .item(let event): self.event(of: event, at: node)
        }
    }

    private func event(of event: ItemEvent, at node: PlanNode) -> TimelineStep.Event? {
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

    private func scored(_ column: ScoreColumn, at node: PlanNode) -> TimelineStep.Event? {
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

    private func totalled(_ totals: [ItemEvent.Totalled]) -> TimelineStep.Event? {
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

/// A candidate was asked about that the run never saw.
package struct UnknownCandidateError: Error, Sendable, Equatable, CustomStringConvertible {
    package let candidate: CandidateID
    /// Ids of the run that are written nearly the same, nearest first; else its first ones.
    package let near: [String]
    /// How many candidates the run saw.
    package let count: Int

    init(_ candidate: CandidateID, known: [String]) {
        self.candidate = candidate
        count = known.count
        let ranked = known.map { (id: $0, distance: Self.distance($0, candidate.text)) }
            .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
        near = ranked.prefix(5).map(\.id)
    }

    package var description: String {
        guard !near.isEmpty else { return "no candidate \(candidate.text.prefix(60)): the run retrieved none at all" }
        let known = near.joined(separator: ", ")
        return "no candidate \(candidate.text.prefix(60)) among the \(count) retrieved; near: \(known)"
    }

    /// How many letters must be put in, taken out or changed, case aside; only beginnings count in very long ids.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(64).lowercased().unicodeScalars)
        let right = Array(right.prefix(64).lowercased().unicodeScalars)
        var row = Array(0...right.count)
        for (i, first) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, second) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(min(above, row[j]) + 1, diagonal + (first == second ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
