package import KnotDomain
package import StageGraph

/// Everything that happened to one candidate, in the order of the plan, and how it ended.
package struct CandidateLife: Sendable {
    package let candidate: CandidateID
    /// Nil when the run left nothing but the id.
    package let title: String?
    package let steps: [LifeStep]
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
        steps = LifeReader(item, findings, showsHints: showsHints).steps()
    }
}
