import TestSupport
import Testing

@testable import StageGraph

@Suite struct `A ledger` {
    private func ledger(_ sections: [(NodeID, [ItemEvent])]) -> Ledger {
        var builder = LedgerBuilder()
        for (node, events) in sections { builder.read(events.map(NodeLogEntry.item), of: node) }
        return builder.ledger()
    }

    private let a = ItemID("a")
    private let b = ItemID("b")

    @Test func `counts what came furthest when branches decide differently`() {
        let dropped = Removal(item: a, reason: "r", evidence: "e")
        let ledger = ledger([
            ("source", [.retrieved([a])]), ("left", [.dropped(dropped)]),
            ("check", [.chosen(a, position: 0, verdict: "available", refilledFrom: nil)]), ("late", [.notSelected(a)]),
        ])
        #expect(ledger.lines == [Ledger.Line(item: a, state: .chosen, node: "check")])
        #expect(ledger.violations.isEmpty)
    }

    @Test func `lets the first of two equal decisions stand`() {
        let ledger = ledger([
            ("source", [.retrieved([a])]), ("one", [.dropped(Removal(item: a, reason: "r", evidence: ""))]),
            ("two", [.cut(Removal(item: a, reason: "r", evidence: ""))]),
        ])
        #expect(ledger[a] == Ledger.Line(item: a, state: .dropped, node: "one"))
    }

    @Test func `abandons what nobody decided`() {
        let ledger = ledger([("source", [.retrieved([a, b])]), ("top", [.selected(a, position: 0), .notSelected(b)])])
        #expect(ledger.items(.abandoned) == [a])
        #expect(ledger.items(.notSelected).count == 1)
    }

    @Test func `finds an item nobody retrieved`() {
        let ledger = ledger([("source", [.retrieved([a])]), ("top", [.selected(b, position: 0)])])
        #expect(ledger.violations == ["node top decided about item b, which no source retrieved"])
    }

    @Test func `finds an item that ends twice at one node`() {
        let removal = Removal(item: a, reason: "r", evidence: "")
        let ledger = ledger([("source", [.retrieved([a])]), ("heap", [.cut(removal), .cut(removal)])])
        #expect(ledger.violations == ["item a ended twice at node heap"])
    }

    @Test func `keeps an item alive that only met itself`() {
        let twin = Merge(absorbed: a, survivor: a, why: "same_id")
        let ledger = ledger([("source", [.retrieved([a])]), ("heap", [.merged(twin)])])
        #expect(ledger[a]?.state == .abandoned)
    }
}
