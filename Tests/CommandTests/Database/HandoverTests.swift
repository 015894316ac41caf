import Testing

@testable import knot_recommend

@Suite("Handing things on") struct HandoverTests {
    @Test func `ends for everybody who waits once nothing more comes`() async {
        let handover = Handover<Int>(limit: 2)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<4 { group.addTask { await handover.take() } }
            group.addTask {
                handover.close()
                return nil
            }
            for await item in group { #expect(item == nil) }
        }
        #expect(await handover.take(most: 5).isEmpty)
    }

    @Test func `what lies there is taken before the end`() async {
        let handover = Handover<Int>(limit: 4)
        await handover.put([1, 2, 3])
        handover.close()
        #expect(await handover.take() == 1)
        #expect(await handover.take(most: 5) == [2, 3])
        #expect(await handover.take() == nil)
    }

    @Test func `who is too far ahead waits`() async {
        let handover = Handover<Int>(limit: 2)
        await handover.put([1, 2, 3])
        async let late: Void = handover.put(4)
        // Nobody can have made room for the fourth yet.
        for _ in 0..<100 { await Task.yield() }
        #expect(await handover.take(most: 10) == [1, 2, 3])
        await late
        #expect(await handover.take() == 4)
    }

    @Test func `who wants many waits for enough, for the end, or for as long as it is worth`() async {
        let long = Duration.seconds(600)
        let handover = Handover<Int>(limit: 8)
        async let many = handover.take(most: 4, enough: 3, patience: long)
        for number in 1...3 {
            for _ in 0..<100 { await Task.yield() }
            await handover.put(number)
        }
        #expect(await many == [1, 2, 3])
        await handover.put(4)
        #expect(await handover.take(most: 4, enough: 3, patience: .milliseconds(1)) == [4])
        await handover.put([5, 6, 7, 8, 9])
        #expect(await handover.take(most: 4, enough: 3, patience: long) == [5, 6, 7, 8])
        async let last = handover.take(most: 4, enough: 3, patience: long)
        for _ in 0..<100 { await Task.yield() }
        handover.close()
        #expect(await last == [9])
        #expect(await handover.take(most: 4, enough: 3, patience: long).isEmpty)
    }

    @Test func `keeps nothing that was taken`() async {
        final class Thing: Sendable {}
        let handover = Handover<Thing>(limit: 4)
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            await handover.put([thing, Thing()])
        }
        #expect(first != nil)
        do { _ = await handover.take() }
        #expect(first == nil, "the second one still lies there, the first one must not")
        #expect(await handover.take() != nil)
    }

    @Test(arguments: [1, 2, 7], [1, 3])
    func `everything arrives once and from each giver in order`(limit: Int, most: Int) async {
        let handover = Handover<(giver: Int, number: Int)>(limit: limit)
        let count = 500
        let taken = await withTaskGroup(of: [(giver: Int, number: Int)].self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var taken: [(giver: Int, number: Int)] = []
                    while true {
                        let items = await handover.take(most: most)
                        if items.isEmpty { return taken }
                        #expect(items.count <= most)
                        taken += items
                    }
                }
            }
            group.addTask {
                await withTaskGroup(of: Void.self) { givers in
                    for giver in 0..<4 {
                        givers.addTask { for number in 0..<count { await handover.put((giver, number)) } }
                    }
                }
                handover.close()
                return []
            }
            return await group.reduce(into: [[(giver: Int, number: Int)]]()) { $0.append($1) }
        }
        for giver in 0..<4 {
            #expect(taken.joined().filter { $0.giver == giver }.map(\.number).sorted() == Array(0..<count))
            for part in taken {
                let numbers = part.filter { $0.giver == giver }.map(\.number)
                #expect(numbers == numbers.sorted())
            }
        }
    }
}
