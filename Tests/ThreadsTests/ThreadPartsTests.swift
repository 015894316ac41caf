import Testing

@testable import Threads

@Suite("Parts for threads")
struct ThreadPartsTests {
    @Test(arguments: [0, 1, 2, 7, 100], [-1, 0, 1, 2, 3, 5, 200])
    func `cover everything once, in order, and none is empty`(count: Int, parts: Int) {
        let ranges = ThreadParts.split(count, into: parts)
        #expect(ranges.flatMap(Array.init) == Array(0..<count))
        #expect(ranges.allSatisfy { !$0.isEmpty })
        #expect(ranges.count <= max(1, parts))
    }

    @Test func `are each done once, and give their results in order`() {
        let done = LockedValue([Int](repeating: 0, count: 20))
        let results = ThreadParts.map(ThreadParts.split(20, into: 7)) { part in
            done.withLock { for number in part { $0[number] += 1 } }
            return part.lowerBound
        }
        #expect(results == results.sorted() && results.count == 7)
        #expect(done.withLock { $0 } == [Int](repeating: 1, count: 20))
    }

    @Test func `may be cut into parts again, and again, by the threads that do them`() {
        let sums = ThreadParts.map(ThreadParts.split(60, into: 12)) { part in
            ThreadParts.map(ThreadParts.split(part.count, into: 3)) { inner in
                inner.reduce(0) { $0 + part.lowerBound + $1 }
            }
            .reduce(0, +)
        }
        #expect(sums.reduce(0, +) == (0..<60).reduce(0, +))
    }

    @Test func `of one call never wait for those of another`() {
        let inner = ThreadParts.map(ThreadParts.split(4, into: 4)) { outer in
            (0..<200).map { round in
                ThreadParts.map(ThreadParts.split(3, into: 3)) { $0.lowerBound + outer.lowerBound * round }
            }
        }
        for (outer, rounds) in inner.enumerated() {
            for (round, values) in rounds.enumerated() {
                #expect(values == [0, 1, 2].map { $0 + outer * round })
            }
        }
    }
}
