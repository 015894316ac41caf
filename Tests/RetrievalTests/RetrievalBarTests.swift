import Evaluation
import Testing

@testable import Retrieval

@Suite("A bar of the retrieval benchmark")
struct RetrievalBarTests {
    private let bar = RetrievalBar("set", .ndcg10, .dense, 0.7)

    private func figure(_ system: RetrievalSystem, _ mean: Double, set: String = "set") -> RetrievalFigure {
        RetrievalFigure(set: set, system: system, metric: .ndcg10, mean: mean, count: 1)
    }

    @Test func `is not met by what was not measured`() {
        #expect(bar.verdict([]) == .unmeasured)
        #expect(bar.verdict([figure(.dense("f32"), 0.9)]) == .unmeasured, "without a no-op nothing is shown")
        #expect(bar.verdict([figure(.random, 0.1), figure(.words, 0.9)]) == .unmeasured)
        #expect(bar.verdict([figure(.random, 0.1), figure(.dense("f32"), 0.9, set: "other")]) == .unmeasured)
    }

    @Test func `goes by the lowest of the systems it asks for`() {
        let noOp = figure(.random, 0.1)
        #expect(bar.verdict([noOp, figure(.dense("f32"), 0.9), figure(.dense("int8"), 0.8)]) == .met(0.8))
        #expect(bar.verdict([noOp, figure(.dense("f32"), 0.9), figure(.dense("int8"), 0.6)]) == .missed(0.6))
        #expect(bar.verdict([noOp, figure(.dense("f32"), 0.7)]) == .met(0.7))
    }

    @Test(arguments: [RetrievalSystem.random, .constant])
    func `that a no-op reaches says nothing`(noOp: RetrievalSystem) {
        #expect(bar.verdict([figure(noOp, 0.7), figure(.dense("f32"), 0.9)]) == .empty(noOp: 0.7))
    }

    @Test func `that is missed makes the report fail`() {
        func isFine(_ mean: Double) -> Bool {
            let figures = [figure(.random, 0.1), figure(.dense("f32"), mean)]
            return RetrievalReport(heading: "", sets: [], figures: figures, bars: [bar]).isFine
        }
        #expect(isFine(0.75))
        #expect(!isFine(0.65))
    }
}
