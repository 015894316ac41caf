/// The account of every item of a run, made from what the nodes' accounting wrote and from nothing else.
package struct Ledger: Sendable {
    /// One item's end.
    package struct Line: Sendable, Equatable {
        package let item: ItemID
        package let state: ItemState
        /// The node that decided it; nil when none did.
        package let node: NodeID?
    }

    /// In the order in which the items first appear in the plan's declared order.
    package let lines: [Line]
    /// How often something came with an id that had come before; only the first is a line.
    package let doubled: Int
    /// Laws that were broken; a run with one is a failure of class stage.
    package let violations: [String]

    package subscript(item: ItemID) -> Line? {
        lines.first { $0.item == item }
    }

    package func count(_ state: ItemState) -> Int {
        lines.reduce(0) { $0 + ($1.state == state ? 1 : 0) }
    }

    package func items(_ state: ItemState) -> [ItemID] {
        lines.filter { $0.state == state }.map(\.item)
    }
}
