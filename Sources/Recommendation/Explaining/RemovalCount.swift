package import StageGraph

/// How many items one node took out for one reason.
package struct RemovalCount: Sendable, Equatable {
    package let node: NodeID
    /// `dropped`, `cut`, `lost` or `merged`.
    package let state: ItemState
    package let reason: String
    package let count: Int

    /// In the order of the plan, the most frequent reason of a node first.
    static func all(in trace: TraceLog) -> [RemovalCount] {
        trace.plan.order.flatMap { index in
            let section = trace.sections[index]
            var counts: [String: (state: ItemState, count: Int)] = [:]
            for case .item(let event) in section.entries {
                guard let (state, reason) = Self.removal(event) else { continue }
                counts[reason] = (state, (counts[reason]?.count ?? 0) + 1)
            }
            return counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
                RemovalCount(node: section.report.node, state: $0.value.state, reason: $0.key, count: $0.value.count)
            }
        }
    }

    private static func removal(_ event: ItemEvent) -> (ItemState, String)? {
        switch event {
        case .dropped(let removal): (.dropped, removal.reason)
        case .cut(let removal): (.cut, removal.reason)
        case .lost(let removal): (.lost, removal.reason)
        case .merged(let merge) where merge.absorbed != merge.survivor: (.merged, merge.why)
        default: nil
        }
    }
}
