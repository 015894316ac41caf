import Evaluation
import JSONDocument
import Testing

/// Our metrics held against trec_eval, ranx and lenskit, wherever the stated conventions are theirs.
@Suite(.enabled(if: GoldenNumbers.areHere, Comment(rawValue: GoldenNumbers.absence)))
struct GoldenMetricsTests {
    private struct Topic {
        let id: String
        let metrics: RankingMetrics
        let expected: JSONValue
        var isEmpty: Bool { metrics.judgedShare(at: 1) == 0 && expected["pytrec_eval"]?.isNull ?? true }

        init?(_ json: JSONValue) throws {
            guard let id = json["id"]?.string, let qrels = json["qrels"]?.object, let run = json["run"]?.array,
                let ranking = json["ranking"]?.array, let expected = json["expected"]
            else { return nil }
            self.id = id
            self.expected = expected
            let scored = run.compactMap { pair -> (id: String, score: Double)? in
                guard let id = pair.array?.first?.string, let score = pair.array?.last?.double else { return nil }
                return (id, score)
            }
            let canonical = try CanonicalRanking(scored: scored, ties: .descendingID)
            #expect(canonical.ids == ranking.compactMap(\.string), "\(id)")
            let grades = Dictionary(uniqueKeysWithValues: qrels.members.map { ($0.name, $0.value.int ?? 0) })
            metrics = RankingMetrics(canonical, JudgedGrades(grades))
        }
    }

    private static func topics(_ file: String) throws -> [Topic] {
        let cases = try #require(try GoldenNumbers.document(file)["cases"]?.array)
        return try cases.map { try #require(try Topic($0)) }
    }

    /// Where nothing is relevant trec_eval and ranx say 0 and we say undefined; everything else is the same number.
    private static func expectSame(
        _ ours: Double?,
        _ golden: JSONValue?,
        _ topic: Topic,
        _ name: String,
        undefined: Bool
    ) throws {
        let golden = try #require(golden, "\(name) is not among the golden numbers")
        if undefined {
            #expect(ours == nil && (golden.double == 0 || golden.isNull), "\(topic.id) \(name)")
        } else {
            #expect(GoldenNumbers.agree(ours, golden.double), "\(topic.id) \(name): \(String(describing: ours))")
        }
    }

    @Test(arguments: GoldenNumbers.files)
    func `are trec_eval's numbers`(file: String) throws {
        for topic in try Self.topics(file) {
            let golden = try #require(topic.expected["pytrec_eval"])
            // A vault for which nothing came is short and counts as 0; trec_eval has no result for it.
            guard !golden.isNull else { continue }
            let metrics = topic.metrics
            let nothing = !metrics.hasRelevant
            func same(_ ours: Double?, _ name: String, undefined: Bool = nothing) throws {
                try Self.expectSame(ours, golden[name], topic, name, undefined: undefined)
            }
            try same(metrics.ndcg(), "ndcg")
            try same(metrics.reciprocalRank(), "recip_rank")
            for cutoff in [1, 3, 5, 10] {
                try same(metrics.ndcg(at: cutoff), "ndcg_cut_\(cutoff)")
                try same(metrics.precision(at: cutoff), "P_\(cutoff)", undefined: false)
            }
        }
    }

    @Test(arguments: GoldenNumbers.files)
    func `are ranx's numbers`(file: String) throws {
        for topic in try Self.topics(file) {
            let golden = try #require(topic.expected["ranx"])
            guard !golden.isNull else { continue }
            let metrics = topic.metrics
            let nothing = !metrics.hasRelevant
            func same(_ ours: Double?, _ name: String, undefined: Bool = nothing) throws {
                try Self.expectSame(ours, golden[name], topic, name, undefined: undefined)
            }
            try same(metrics.ndcg(), "ndcg")
            try same(metrics.reciprocalRank(), "mrr")
            for cutoff in [1, 3, 5, 10] {
                try same(metrics.ndcg(at: cutoff), "ndcg@\(cutoff)")
                try same(metrics.reciprocalRank(at: cutoff), "mrr@\(cutoff)")
                try same(metrics.precision(at: cutoff), "precision@\(cutoff)", undefined: false)
            }
        }
    }

    @Test(arguments: GoldenNumbers.files)
    func `are lenskit's numbers, undefined where it says so`(file: String) throws {
        for topic in try Self.topics(file) {
            let golden = try #require(topic.expected["lenskit"])
            let metrics = topic.metrics
            func same(_ ours: Double?, _ name: String) throws {
                let value = try #require(golden[name], "\(name) is not among the golden numbers")
                #expect(GoldenNumbers.agree(ours, value.double), "\(topic.id) \(name): \(String(describing: ours))")
            }
            for cutoff in [nil, 1, 3, 5, 10] {
                let suffix = cutoff.map { "@\($0)" } ?? ""
                try same(metrics.ndcg(at: cutoff), "ndcg_graded_offset1\(suffix)")
                try same(metrics.reciprocalRank(at: cutoff), "recip_rank\(suffix)")
            }
        }
    }
}
