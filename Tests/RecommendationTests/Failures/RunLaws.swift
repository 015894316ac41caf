import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// What must hold of every run, however the world behaves.
enum RunLaws {
    /// How long after its deadline a run may end on the slowest machine: less than a call takes that is held.
    private static let grace = Duration.seconds(8)

    static func expect(
        _ run: EngineRun,
        within deadline: Duration? = nil,
        _ label: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let report = run.report
        let limit = (deadline ?? run.plan.deadline) + grace
        #expect(report.elapsed <= limit, "\(label): ran \(report.elapsed)", sourceLocation: location)
        #expect(report.nodes.count == run.plan.nodes.count, "\(label)", sourceLocation: location)
        #expect(run.shown.count <= 3 && Set(run.shown).count == run.shown.count, "\(label)", sourceLocation: location)
        for choice in run.cards.values {
            let card = choice.offer.candidate
            let original = MatrixWorld.all[card.id.text]
            let isReal =
                original?.title == card.title && original?.url == card.url && original?.type == card.type
                && original?.merchant == card.merchant && original?.priceCents == card.priceCents
            #expect(isReal, "\(label): shows \(card.id), which is not in the world", sourceLocation: location)
        }
        switch run.result {
        case .success:
            #expect(report.ledger.violations.isEmpty, "\(label)", sourceLocation: location)
            #expect(run.text() != nil, "\(label)", sourceLocation: location)
            #expect((run.outcome == .short) == (run.shown.count < 3), "\(label)", sourceLocation: location)
        case .failure(let failure):
            #expect(!failure.code.isEmpty && !failure.detail.isEmpty, "\(label)", sourceLocation: location)
        }
    }

    /// What must be told of a node that gave nothing.
    static func expectTold(
        _ run: EngineRun,
        of node: NodeID,
        _ label: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let isSaid = run.report.reasons.contains { $0.node == node }
        if case .failure(let failure) = run.result {
            let isNamed = run.report.failedNode == node || failure.description.contains(node.text)
            #expect(isSaid || isNamed, "\(label): nobody says what happened: \(failure)", sourceLocation: location)
        } else {
            let isDegraded = run.report.isDegraded && isSaid
            #expect(isDegraded, "\(label): the result hides that \(node) failed", sourceLocation: location)
        }
    }
}
