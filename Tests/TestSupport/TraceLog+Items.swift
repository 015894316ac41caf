package import StageGraph

extension TraceLog {
    /// One item's event with the node where it happened.
    package struct ItemLine: Sendable {
        package let node: NodeID
        package let entry: NodeLogEntry
    }

    /// The life of one item in the plan's order; a scorer's column shows as the whole column.
    package func events(for item: ItemID) -> [ItemLine] {
        plan.order.flatMap { index in
            sections[index].entries.filter { $0.concerns(item) }.map {
                ItemLine(node: sections[index].report.node, entry: $0)
            }
        }
    }
}

extension RunReport {
    package subscript(node: NodeID) -> NodeReport? { nodes.first { $0.node == node } }
}

extension Ledger {
    /// The items that ended so.
    package func items(_ state: ItemState) -> [ItemID] { lines.filter { $0.state == state }.map(\.item) }
}
