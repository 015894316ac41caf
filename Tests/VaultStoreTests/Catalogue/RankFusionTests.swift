import Testing

@testable import VaultStore

@Suite("Ranks put together") struct RankFusionTests {
    @Test func `of nothing are nothing`() {
        #expect(RankFusion.merge([], count: 3) == [])
        #expect(RankFusion.merge([[], []], count: 0) == [])
    }

    @Test func `prefer what stands in both lists, then the earlier list, then the place`() {
        #expect(RankFusion.merge([[0, 2], [1, 2]], count: 4) == [2, 0, 1])
        #expect(RankFusion.merge([[3], [1], [2]], count: 4) == [3, 1, 2])
    }

    @Test(arguments: 0..<50)
    func `hold each place once and none that no list has`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 0...30, using: &random)
        let lists = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            Array((0..<count).shuffled(using: &random).prefix(Int.random(in: 0...30, using: &random)))
        }
        let merged = RankFusion.merge(lists, count: count)
        #expect(Set(merged) == Set(lists.joined()) && merged.count == Set(merged).count, "seed \(seed)")
        #expect(merged == RankFusion.merge(lists, count: count))
    }
}
