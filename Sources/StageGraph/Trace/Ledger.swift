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
}

/// Works out how each item ended.
///
/// Nodes that share a pool may decide differently about one item; what counts is how far it came on its best way, so a
/// decision of the check counts before one of the selector, and that before any removal on the way.
struct LedgerBuilder {
    private typealias End = (state: ItemState, node: NodeID)

    /// Every item anybody spoke of, in that order.
    private var table = ItemTable(capacity: 128)
    /// By the items' numbers.
    private var hasEntered: [Bool] = []
    private var ends: [End?] = []
    /// The numbers of the items that came in, in that order.
    private var order: [Int] = []
    private var doubled = 0
    private var violations: [String] = []

    init() {}

    /// Takes one node's events; nodes must come so that each follows those that feed it.
    mutating func read(_ entries: [NodeLogEntry], of node: NodeID) {
        for case .item(let event) in entries {
            switch event {
            case .retrieved(let items): for item in items { enter(item) }
            case .merged(let merge) where merge.absorbed == merge.survivor: doubled += 1
            case .merged(let merge): end(merge.absorbed, .merged, node)
            case .cut(let removal): end(removal.item, .cut, node)
            case .dropped(let removal): end(removal.item, .dropped, node)
            case .notSelected(let item): end(item, .notSelected, node)
            case .lost(let removal): end(removal.item, .lost, node)
            case .unused(let item): end(item, .unused, node)
            case .chosen(let item, _, _, _): end(item, .chosen, node)
            case .selected(let item, _), .reserved(let item, _): expect(item, node)
            case .duplicated: doubled += 1
            case .flagged, .scored, .nonFinite, .totalled, .relaxed: break
            }
        }
    }

    func ledger() -> Ledger {
        let lines = order.map { number in
            Ledger.Line(item: table.items[number], state: ends[number]?.state ?? .abandoned, node: ends[number]?.node)
        }
        return Ledger(lines: lines, doubled: doubled, violations: violations)
    }

    private mutating func number(of item: ItemID) -> Int {
        let (number, isNew) = table.insert(item)
        if isNew {
            hasEntered.append(false)
            ends.append(nil)
        }
        return number
    }

    private mutating func enter(_ item: ItemID) {
        let number = number(of: item)
        guard !hasEntered[number] else { return }
        hasEntered[number] = true
        order.append(number)
    }

    private mutating func end(_ item: ItemID, _ state: ItemState, _ node: NodeID) {
        expect(item, node)
        let number = number(of: item)
        if let known = ends[number] {
            if known.node == node { violations.append("item \(item) ended twice at node \(node)") }
            // Equal ranks: the first decision in the plan's order stands.
            if known.state.rank <= state.rank { return }
        }
        ends[number] = (state, node)
    }

    private mutating func expect(_ item: ItemID, _ node: NodeID) {
        if !hasEntered[number(of: item)] {
            violations.append("node \(node) decided about item \(item), which no source retrieved")
        }
    }
}

extension ItemState {
    /// How far an item with this end came; lower is further.
    fileprivate var rank: Int {
        switch self {
        case .chosen: 0
        case .lost: 1
        case .unused: 2
        case .notSelected: 3
        case .dropped, .cut, .merged: 4
        case .abandoned: 5
        }
    }
}

/// How an item's way through a run ended; every retrieved item ends in exactly one of these.
package enum ItemState: String, CaseIterable, Sendable {
    case chosen
    case lost
    case unused
    case notSelected = "not_selected"
    case dropped
    case cut
    case merged
    /// The run ended before it was decided.
    case abandoned
}
