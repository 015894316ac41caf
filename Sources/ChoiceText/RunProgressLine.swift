package import StageGraph
import Synchronization

/// How far a run is, in words for who waits for it: one bar, and what is being done.
package final class RunProgressLine: RunObserver {
    fileprivate struct State {
        var roles: [NodeID: StageRole] = [:]
        var ended: Set<NodeID> = []
        var shown = ""
    }

    private let show: @Sendable (String) -> Void
    private let state = Mutex(State())

    package init(show: @escaping @Sendable (String) -> Void) {
        self.show = show
    }

    package func observe(_ event: RunObservation) {
        let line = state.withLock { $0.line(after: event) }
        if let line { show(line) }
    }
}

extension RunProgressLine {
    /// `[#####...............]`.
    package static func bar(_ done: Int, of total: Int) -> String {
        let filled = total <= 0 ? 20 : min(20, max(0, done * 20 / total))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled) + "]"
    }
}

extension RunProgressLine.State {
    /// The line after an event; nil when it says what the last one said.
    fileprivate mutating func line(after event: RunObservation) -> String? {
        let doing: String
        switch event {
        case .began(let plan, _, _):
            roles = Dictionary(plan.nodes.map { ($0.id, $0.stage.role) }) { first, _ in first }
            return nil
        case .started(let node, let attempt):
            doing = words(node) + (attempt > 1 ? ", attempt \(attempt)" : "")
        case .ended(let node, let end):
            ended.insert(node)
            doing = words(node) + ([.failed, .timedOut].contains(end) ? ": no answer" : "")
        case .finished: return nil
        }
        let text = RunProgressLine.bar(ended.count, of: roles.count) + " " + doing
        guard text != shown else { return nil }
        shown = text
        return text
    }

    /// `asking yelp`: what the node does, and which of its kind it is.
    private func words(_ node: NodeID) -> String {
        let name = node.text.replacing("_", with: " ")
        return switch roles[node] {
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
    }
}
