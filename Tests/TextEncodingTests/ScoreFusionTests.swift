import Testing

@testable import TextEncoding

@Suite("A fusion of scores")
struct ScoreFusionTests {
    @Test func `of lists without a difference has none`() {
        #expect(ScoreFusion.sum([[3, 3, 3], [0, 0, 0]]) == [0, 0, 0])
        #expect(Set(ScoreFusion.reciprocalRanks([[3, 3, 3]])).count == 1)
        #expect(ScoreFusion.sum([]) == [])
        #expect(ScoreFusion.reciprocalRanks([[], []]) == [])
    }

    @Test func `by sums does not depend on the scale of a list`() {
        let words = [0.0, 4, 2]
        let vectors = [0.9, 0.1, 0.5]
        let sums = ScoreFusion.sum([words, vectors])
        #expect(sums == [0.5, 0.5, 0.5])
        #expect(ScoreFusion.sum([words.map { $0 * 8 - 2 }, vectors]) == sums)
    }

    @Test func `by ranks depends on the order of each list alone, and equal scores share their ranks`() {
        let fused = ScoreFusion.reciprocalRanks([[9, 1, 1], [0.2, 0.3, 0.1]], damping: 0)
        // The second and third share rank 2.5 of the first list, and have ranks 1 and 3 of the second.
        let expected: [Double] = [1 + 0.5, 0.4 + 1, 0.4 + 1 / 3]
        #expect(fused == expected)
        #expect(ScoreFusion.reciprocalRanks([[900, 0.5, 0.5], [2, 3, 1]], damping: 0) == fused)
    }
}
