/// Scored items in the graph's one order.
package struct Ranking<Item: GraphItem>: Sendable {
    package let entries: [Ranked<Item>]

    package init(_ entries: [Ranked<Item>]) {
        self.entries = entries.sorted(by: Ranked.precedes)
    }
}
