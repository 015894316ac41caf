import Evaluation
import StageGraph
import TestSupport
import Testing

@Suite(.onOwnThreads) struct ComparingTests {
    @Test func `leaves out what is undefined for either side`() {
        let difference = PairedDifference(from: [1, nil, 2, 3], to: [2, 5, nil, 3])
        #expect(difference.sample.values == [1, 0])
        #expect([difference.wins, difference.ties, difference.losses] == [1, 1, 0])
    }

    @Test func `says nothing where there is nothing to say`() {
        let none = PairedDifference([])
        #expect(none.mean == nil && none.effectSize == nil)
        #expect(SignFlipTest.twoSidedP([]) == nil)
        #expect(PairedDifference([1]).nonInferiorityP(margin: 0.1) == nil)
    }

    @Test func `takes differences that never vary for what they are`() {
        let level = PairedDifference([0, 0, 0])
        #expect(level.nonInferiorityP(margin: 0.1) == 0 && level.equivalenceP(margin: 0.1) == 0)
        #expect(level.effectSize == nil)
        let better = PairedDifference([1, 1, 1])
        #expect(better.equivalenceP(margin: 0.5) == 1)
    }

    @Test func `counts sign flips exactly up to twenty and never says 0 beyond`() throws {
        #expect(SignFlipTest.twoSidedP([1, 1, 1, 1, 1]) == 2.0 / 32)
        #expect(SignFlipTest.twoSidedP([0, 0, 0]) == 1)
        let sure = try #require(SignFlipTest.twoSidedP([Double](repeating: 1, count: 24)))
        #expect(sure == 1 / Double(SignFlipTest.draws + 1))
    }

    @Test func `draws about what counting gives`() throws {
        var generator = SeededGenerator(seed: 3)
        let differences = (0..<20).map { _ in generator.unit() - 0.4 }
        let exact = try #require(SignFlipTest.twoSidedP(differences))
        // A twenty-first difference of 0 changes no sum, only the way it is counted.
        let drawn = try #require(SignFlipTest.twoSidedP(differences + [0], seed: 5))
        #expect((exact - drawn).magnitude < 0.006, "exact \(exact), drawn \(drawn)")
        #expect(SignFlipTest.twoSidedP(differences + [0], seed: 5) == drawn)
    }

    @Test func `corrects by Holm in any order of the values`() {
        #expect(HolmAdjustment.adjusted([0.04, 0.01, 0.03]) == [0.06, 0.03, 0.06])
        #expect(HolmAdjustment.adjusted([0.6, 0.7]) == [1, 1])
        #expect(HolmAdjustment.adjusted([]).isEmpty)
    }

    @Test func `draws intervals that hold the mean as often as they say`() {
        var hits = 0
        let rounds = 150
        for seed in 0..<UInt64(rounds) {
            var generator = SeededGenerator(seed: seed)
            let values = (0..<40).map { _ -> Double? in generator.unit() }
            let interval = Bootstrap(topics: 40, seed: seed, draws: 200).interval(of: values)
            if interval?.contains(0.5) == true { hits += 1 }
        }
        // 95 % of 150 is 142; a percentile interval of 40 values is a little narrow, and chance is chance.
        #expect((130...150).contains(hits), "\(hits) of \(rounds)")
    }

    @Test func `gives the same interval for the same seed and none for a single value`() {
        let values: [Double?] = [1, nil, 2, 5, 3]
        let first = Bootstrap(topics: 5, seed: 7).interval(of: values)
        #expect(first == Bootstrap(topics: 5, seed: 7).interval(of: values))
        #expect(first != Bootstrap(topics: 5, seed: 8, draws: 50).interval(of: values))
        #expect(Bootstrap(topics: 2, seed: 7).interval(of: [1, nil]) == nil)
        #expect(Bootstrap(topics: 0, seed: 7).interval(of: []) == nil)
    }
}
