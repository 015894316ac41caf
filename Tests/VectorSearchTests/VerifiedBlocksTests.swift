import Testing
import Threads

@testable import VectorSearch

@Suite("Verified blocks")
struct VerifiedBlocksTests {
    @Test(arguments: [0, 1, 63, 64, 65, 1_000])
    func `are missing until they are added`(count: Int) {
        let blocks = VerifiedBlocks(count: count)
        #expect(blocks.missing(in: 0..<count) == Array(0..<count))
        for block in stride(from: 0, to: count, by: 2) {
            blocks.add(block)
            blocks.add(block)
        }
        #expect(blocks.missing(in: 0..<count) == Array(stride(from: 1, to: count, by: 2)))
        for block in stride(from: 1, to: count, by: 2) { blocks.add(block) }
        #expect(blocks.missing(in: 0..<count).isEmpty)
    }

    @Test func `may be added by several threads at once`() {
        let blocks = VerifiedBlocks(count: 500)
        _ = ThreadParts.map([0..<300, 100..<400, 200..<499]) { part in
            for block in part { blocks.add(block) }
        }
        #expect(blocks.missing(in: 0..<500) == [499])
    }
}
