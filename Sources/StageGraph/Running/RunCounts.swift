/// How many items a run had and how they ended.
package struct RunCounts: Sendable, Equatable {
    package let retrieved: Int
    /// Items that came with an id that had already come, and are not among the retrieved.
    package let doubled: Int
    package let byState: [ItemState: Int]

    init(_ ledger: Ledger) {
        retrieved = ledger.lines.count
        doubled = ledger.doubled
        byState = ledger.lines.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }

    package subscript(state: ItemState) -> Int { byState[state] ?? 0 }
}
