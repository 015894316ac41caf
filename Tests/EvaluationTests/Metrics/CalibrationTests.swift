import StageGraph
import Testing

@testable import Evaluation

@Suite struct CalibrationTests {
    @Test func `knows the ten mixes of three places and three kinds`() {
        #expect(Calibration.compositions(of: 3, within: [9, 9, 9]).count == 10)
        #expect(Calibration.compositions(of: 3, within: [9, 1, 0]) == [[2, 1, 0], [3, 0, 0]])
        #expect(Calibration.compositions(of: 3, within: [1, 1, 0]).isEmpty)
    }

    @Test func `regrets nothing where no other mix would have been nearer`() throws {
        let target = [0.6, 0.2, 0.2]
        let best = try #require(Calibration.regret(of: [0, 1, 2], target: target, pool: [9, 9, 9]))
        let worst = try #require(Calibration.regret(of: [1, 1, 1], target: target, pool: [9, 9, 9]))
        #expect(best == 0 && worst > 1)
        // With a pool of one kind there is nothing to regret, however far the mix is from the target.
        #expect(Calibration.regret(of: [1, 1, 1], target: target, pool: [0, 5, 0]) == 0)
        #expect(Calibration.regret(of: [], target: target, pool: [9, 9, 9]) == nil)
    }

    @Test func `is never below 0 and is 0 for one mix at least`() throws {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let raw = (0..<3).map { _ in generator.unit() }
            let target = raw.map { $0 / raw.reduce(0, +) }
            let regrets = Calibration.compositions(of: 3, within: [3, 3, 3]).map { counts in
                Calibration.regret(
                    of: counts.enumerated().flatMap { [Int](repeating: $0.offset, count: $0.element) },
                    target: target,
                    pool: [3, 3, 3]
                )
            }
            #expect(regrets.allSatisfy { ($0 ?? -1) >= 0 }, "seed \(seed)")
            #expect(regrets.contains(0), "seed \(seed)")
        }
    }

    @Test func `measures exposure, sameness and novelty as they are meant`() {
        let six = Set("abcdef".map(String.init))
        let same = CatalogueExposure([["a", "b", "c"], ["a", "b", "c"]], eligible: six)
        #expect(same.personalisation == 0 && same.coverage == 0.5)
        let own = CatalogueExposure([["a", "b", "c"], ["d", "e", "f"]], eligible: six)
        #expect(own.personalisation == 1 && own.coverage == 1 && own.gini == 0)
        #expect(CatalogueExposure([], eligible: six).gini == nil)
        #expect(CatalogueExposure([["a"]], eligible: six).personalisation == nil)
        #expect(Novelty.selfInformation(popularity: [], users: 9) == nil)
        #expect(Novelty.selfInformation(popularity: [0], users: 7) == 3)
        #expect(ListDiversity.meanDistance(count: 1) { _, _ in 0 } == nil)
    }
}
