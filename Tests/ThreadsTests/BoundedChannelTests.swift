import Testing
import Threads

@Suite("A bounded channel") struct BoundedChannelTests {
    @Test func `ends for every receiver once nothing more is sent`() async {
        let channel = BoundedChannel<Int>(limit: 2)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<4 { group.addTask { await channel.receive() } }
            group.addTask {
                channel.finish()
                return nil
            }
            for await item in group { #expect(item == nil) }
        }
        #expect(await channel.receive(most: 5).isEmpty)
    }

    @Test func `what was sent is received before the end`() async {
        let channel = BoundedChannel<Int>(limit: 4)
        await channel.send([1, 2, 3])
        channel.finish()
        #expect(await channel.receive() == 1)
        #expect(await channel.receive(most: 5) == [2, 3])
        #expect(await channel.receive() == nil)
    }

    @Test func `a sender waits while it is full`() async {
        let channel = BoundedChannel<Int>(limit: 2)
        await channel.send([1, 2, 3])
        async let late: Void = channel.send(4)
        // Nobody can have made room for the fourth yet.
        for _ in 0..<100 { await Task.yield() }
        #expect(await channel.receive(most: 10) == [1, 2, 3])
        await late
        #expect(await channel.receive() == 4)
    }

    @Test func `a receiver of many waits for enough, for the end, or for as long as it says`() async {
        let long = Duration.seconds(600)
        let channel = BoundedChannel<Int>(limit: 8)
        async let many = channel.receive(most: 4, enough: 3, patience: long)
        for number in 1...3 {
            for _ in 0..<100 { await Task.yield() }
            await channel.send(number)
        }
        #expect(await many == [1, 2, 3])
        await channel.send(4)
        #expect(await channel.receive(most: 4, enough: 3, patience: .milliseconds(1)) == [4])
        await channel.send([5, 6, 7, 8, 9])
        #expect(await channel.receive(most: 4, enough: 3, patience: long) == [5, 6, 7, 8])
        async let last = channel.receive(most: 4, enough: 3, patience: long)
        for _ in 0..<100 { await Task.yield() }
        channel.finish()
        #expect(await last == [9])
        #expect(await channel.receive(most: 4, enough: 3, patience: long).isEmpty)
    }

    @Test func `keeps nothing that was received`() async {
        final class Thing: Sendable {}
        let channel = BoundedChannel<Thing>(limit: 4)
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            await channel.send([thing, Thing()])
        }
        #expect(first != nil)
        do { _ = await channel.receive() }
        #expect(first == nil, "the second one still lies there, the first one must not")
        #expect(await channel.receive() != nil)
    }

    @Test(arguments: [1, 2, 7], [1, 3])
    func `everything arrives once and from each sender in order`(limit: Int, most: Int) async {
        let channel = BoundedChannel<(giver: Int, number: Int)>(limit: limit)
        let count = 500
        let taken = await withTaskGroup(of: [(giver: Int, number: Int)].self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var taken: [(giver: Int, number: Int)] = []
                    while true {
                        let items = await channel.receive(most: most)
                        if items.isEmpty { return taken }
                        #expect(items.count <= most)
                        taken += items
                    }
                }
            }
            group.addTask {
                await withTaskGroup(of: Void.self) { givers in
                    for giver in 0..<4 {
                        givers.addTask { for number in 0..<count { await channel.send((giver, number)) } }
                    }
                }
                channel.finish()
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
