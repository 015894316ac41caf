import TestSupport
import Testing

@testable import Evaluation

@Suite(.onOwnThreads) struct PipelineComparisonTests {
    @Test func `compares vault by vault and corrects over the figures that have a value`() throws {
        let comparison = try #require(try Invented.summary().comparison)
        #expect(comparison.figures.map(\.figure) == Figure.tested)
        let grade = try #require(comparison[.meanGrade])
        #expect(grade.difference.sample.count == 12 && grade.isImprovement == true)
        let p = try #require(grade.p)
        let corrected = try #require(grade.holmP)
        #expect(p <= corrected)
        // Nobody's vaults have no type mix: there is nothing to test, and nothing is counted in the correction.
        #expect(comparison[.calibrationRegret]?.p == nil && comparison[.calibrationRegret]?.holmP == nil)
        let known = comparison.figures.compactMap(\.p)
        #expect(comparison.figures.compactMap(\.holmP) == HolmAdjustment.adjusted(known))
    }

    @Test func `claims no less harm only where a margin was set`() throws {
        let comparison = try #require(try Invented.summary().comparison)
        for figure in comparison.figures {
            #expect((figure.nonInferiorityP == nil) == (figure.figure.margin == nil), "\(figure.figure)")
        }
        #expect(Figure.ndcg.margin == 0.01 && Figure.precision.margin == 0.02)
    }

    @Test func `puts broken gates before grades among the most changed vaults`() throws {
        let comparison = try #require(try Invented.summary().comparison)
        let changed = comparison.mostChanged(100)
        #expect(changed.count == 12)
        let sizes = changed.map { pair in
            let gates = (pair.new.count(.forbidden) - pair.old.count(.forbidden)).magnitude
            return Double(gates) * 3 + ((pair.new[.meanGrade] ?? 0) - (pair.old[.meanGrade] ?? 0)).magnitude * 3
        }
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 - 1 }, "nDCG moves a vault by one at most")
        let same = PipelineComparison(
            of: comparison.new,
            against: comparison.new,
            Bootstrap(topics: 12, seed: 0, draws: 10),
            seed: 0
        )
        #expect(same.mostChanged(6).isEmpty && same[.meanGrade]?.p == 1)
    }

    @Test func `says how many vaults a segment rests on and lets few decide nothing`() throws {
        let segments = try Invented.summary().segments
        for kind in Segment.Kind.allCases {
            #expect(segments.filter { $0.segment.kind == kind }.reduce(0) { $0 + $1.count } == 12, "\(kind)")
        }
        #expect(segments.contains { !$0.decides } && segments.allSatisfy { $0.decides == ($0.count >= 20) })
    }

    @Test func `passes over no broken gate in its headline`() throws {
        let summary = try Invented.summary()
        #expect(summary.evaluation.keepsGates && Verdict(summary).headline == "choice-of-three is better than classic.")
        let nothing = Verdict(try Invented.summary(vaults: 0)).headline
        #expect(nothing == "No difference between choice-of-three and classic is shown.")
        let old = try #require(summary.comparison?.old)
        #expect(!old.keepsGates)
        let turned = EvaluationSummary(old, against: summary.evaluation, readings: "rules", seed: 0)
        #expect(Verdict(turned).headline == "classic is worse than choice-of-three, and a gate is broken.")
    }
}
