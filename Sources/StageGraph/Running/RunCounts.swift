/// How many items a run had and how they ended.
package struct RunCounts: Sendable, Equatable {
    package let retrieved: Int
    package let byState: [ItemState: Int]

    init(_ ledger: Ledger) {
        retrieved = ledger.lines.count
        byState = ledger.lines.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }

    package subscript(state: ItemState) -> Int { byState[state] ?? 0 }
}
