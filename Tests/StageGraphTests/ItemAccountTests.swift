import Testing

@testable import StageGraph

@Suite struct `An item account` {
    private let items = ["a", "b", "c"].map { ItemID($0) }

    @Test func `refuses an item that never came in, and one that ends twice`() throws {
        var account = ItemAccount(items)
        #expect(throws: StageFailure.self) { try account.close(ItemID("z"), at: "node") }
        try account.close(items[1], at: "node")
        #expect(throws: StageFailure.self) { try account.close(items[1], at: "node") }
    }

    @Test func `names the first item that was forgotten`() throws {
        var account = ItemAccount(items)
        try account.close(items[0], at: "node")
        #expect(account.firstOpen == items[1])
        try account.close(items[2], at: "node")
        try account.close(items[1], at: "node")
        #expect(account.firstOpen == nil)
    }
}
