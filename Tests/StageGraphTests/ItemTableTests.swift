import Testing

@testable import StageGraph

@Suite struct `An item table` {
    @Test func `knows nothing of an item it never met`() {
        #expect(ItemTable()[ItemID("a")] == nil)
        var table = ItemTable()
        _ = table.insert(ItemID("b"))
        #expect(table[ItemID("a")] == nil)
    }

    @Test func `numbers items in the order in which they come, each once, however many there are`() {
        var table = ItemTable(capacity: 2)
        for round in 0..<2 {
            for number in 0..<5_000 {
                let (found, isNew) = table.insert(ItemID("item \(number)"))
                #expect(found == number && isNew == (round == 0))
            }
        }
        let texts = (0..<5_000).map { "item \($0)" }
        #expect(table.items.map(\.text) == texts)
        let numbers = (0..<5_000).map { table[ItemID("item \($0)")] ?? -1 }
        #expect(numbers == Array(0..<5_000))
    }
}
