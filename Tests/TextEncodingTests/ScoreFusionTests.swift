import Testing

@testable import TextEncoding

@Suite("A fusion of scores")
struct ScoreFusionTests {
    @Test func `of lists without a difference has none`() {
        #expect(ScoreFusion.sum([[3, 3, 3], [0, 0, 0]]) == [0, 0, 0])
        #expect(ScoreFusion.sum([]) == [])
    }

    @Test func `by sums does not depend on the scale of a list`() {
        let words = [0.0, 4, 2]
        let vectors = [0.9, 0.1, 0.5]
        let sums = ScoreFusion.sum([words, vectors])
        #expect(sums == [0.5, 0.5, 0.5])
        #expect(ScoreFusion.sum([words.map { $0 * 8 - 2 }, vectors]) == sums)
    }
}
