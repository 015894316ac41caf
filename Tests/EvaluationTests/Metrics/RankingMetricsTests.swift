import Evaluation
import Testing

@Suite struct RankingMetricsTests {
    private func metrics(_ shown: [String], _ grades: [String: Int], relevantFrom: Int = 1) throws -> RankingMetrics {
        RankingMetrics(try CanonicalRanking(ordered: shown), JudgedGrades(grades, relevantFrom: relevantFrom))
    }

    @Test func `are undefined where there is nothing to find, and never 0 or 1`() throws {
        let nothing = try metrics(["a", "b", "c"], ["a": 0, "b": 0])
        #expect(nothing.ndcg(at: 3) == nil && nothing.reciprocalRank() == nil)
        #expect(nothing.precision(at: 3) == 0 && nothing.dcg(at: 3) == 0)
    }

    @Test func `count 0 for a vault that got nothing`() throws {
        let empty = try metrics([], ["a": 3])
        #expect(empty.ndcg(at: 3) == 0 && empty.precision(at: 3) == 0 && empty.reciprocalRank() == 0)
    }

    @Test func `do not let a short list look better`() throws {
        let short = try metrics(["a"], ["a": 3, "b": 3, "c": 3])
        #expect(short.precision(at: 3) == 1.0 / 3)
    }

    @Test func `tell what nobody judged from what was judged bad`() throws {
        let mixed = try metrics(["x", "a", "y"], ["a": 3, "b": 2])
        #expect(mixed.judgedShare(at: 3) == 1.0 / 3)
        #expect(mixed.condensed.reciprocalRank() == 1 && mixed.reciprocalRank() == 0.5)
        #expect(mixed.condensed.precision(at: 3) == mixed.precision(at: 3))
    }

    @Test func `weigh three places as the discount says`() throws {
        let grades = ["a": 1, "b": 1, "c": 1]
        let all = try metrics(["a", "b", "c"], grades)
        #expect((all.dcg(at: 3) - 2.1309297535714573).magnitude < 1e-12)
        #expect(all.ndcg(at: 3) == 1)
        let gains = try metrics(["a"], ["a": 3])
        #expect(gains.dcg() == 3)
    }

    @Test func `leave what is undefined out of a mean and count it`() {
        let mean = DefinedMean([1, nil, 0.5])
        #expect(mean.mean == 0.75 && mean.count == 2 && mean.undefinedCount == 1)
        #expect(DefinedMean([nil]).mean == nil)
    }
}
