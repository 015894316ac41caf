import StageGraph
import Synchronization

/// How far a run is, in words for who waits for it: one bar, and what is being done.
final class RunSteps: Sendable {
    private struct State {
        var ended: Set<NodeID> = []
        var shown = ""
    }

    private let roles: [NodeID: StageRole]
    private let state = Mutex(State())

    init(_ plan: Plan) {
        roles = Dictionary(plan.nodes.map { ($0.id, $0.stage.role) }) { first, _ in first }
    }

    /// The line after a step; nil when it says what the last one said.
    func line(after step: RunProgress.Step, of node: NodeID) -> String? {
        state.withLock { state in
            if case .ended = step { state.ended.insert(node) }
            let text = Self.bar(state.ended.count, of: roles.count) + " " + words(step, node)
            guard text != state.shown else { return nil }
            state.shown = text
            return text
        }
    }

    /// `[#####...............]`.
    static func bar(_ done: Int, of total: Int) -> String {
        let filled = total <= 0 ? 20 : min(20, max(0, done * 20 / total))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled) + "]"
    }

    /// `asking yelp`: what the node does, and which of its kind it is.
    private func words(_ step: RunProgress.Step, _ node: NodeID) -> String {
        let name = node.text.replacing("_", with: " ")
        let doing =
            switch roles[node] {
            case .reader: "reading the vault and its hints"
            case .retriever: "looking for the hints that matter"
            case .planner: "thinking of what to ask for"
            case .source: "asking \(name)"
            case .aggregator: "putting the answers together"
            case .relater: "comparing words and meaning"
            case .filter: "leaving out what does not fit (\(name))"
            case .scorer: "weighing (\(name))"
            case .shortlist, .combiner: "ranking"
            case .selector: "choosing three"
            case .check: "checking that they can be had"
            case .presenter: "saying why"
            case .sink, nil: "finishing"
            }
        switch step {
        case .started(let attempt) where attempt > 1: return "\(doing), attempt \(attempt)"
        case .ended(.failed), .ended(.timedOut): return "\(doing): no answer"
        default: return doing
        }
    }
}
