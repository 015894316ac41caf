import Synchronization
import Testing

@testable import VectorSearch

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
        let done = Mutex([Int](repeating: 0, count: 20))
        let results = ThreadParts.map(ThreadParts.split(20, into: 7)) { part in
            done.withLock { for number in part { $0[number] += 1 } }
            return part.lowerBound
        }
        #expect(results == results.sorted() && results.count == 7)
        #expect(done.withLock { $0 } == [Int](repeating: 1, count: 20))
    }
}
