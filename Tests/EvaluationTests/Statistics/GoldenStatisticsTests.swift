import Evaluation
import JSONDocument
import Testing

@Suite(.enabled(if: GoldenNumbers.areHere, Comment(rawValue: GoldenNumbers.absence)))
struct GoldenStatisticsTests {
    @Test(arguments: GoldenNumbers.files)
    func `are the golden numbers`(file: String) throws {
        let cases = try #require(try GoldenNumbers.document(file)["statistics"]?["cases"]?.array)
        #expect(!cases.isEmpty)
        for json in cases {
            let id = try #require(json["id"]?.string)
            let (old, new) = (try #require(json["a"]).doubles, try #require(json["b"]).doubles)
            let margin = try #require(json["margin"]?.double)
            let expected = try #require(json["expected"])
            let difference = PairedDifference(from: old, to: new)
            func same(_ ours: Double?, _ name: String) {
                #expect(GoldenNumbers.agree(ours, expected[name]?.double), "\(id) \(name): \(String(describing: ours))")
            }
            same(difference.mean, "mean_diff")
            same(SignFlipTest.twoSidedP(difference.sample.values), "sign_flip_exact_two_sided_p")
            same(difference.nonInferiorityP(margin: margin), "noninferiority_p_lower")
            same(difference.equivalenceP(margin: margin), "tost_p")
            same(difference.effectSize, "cohen_dz")
            #expect([difference.wins, difference.ties, difference.losses] == expected["win_tie_loss"]?.ints, "\(id)")
            let adjusted = HolmAdjustment.adjusted(try #require(json["p_sorted"]).doubles)
            for (ours, theirs) in zip(adjusted, try #require(expected["holm_adjusted"]).doubles) {
                #expect(GoldenNumbers.agree(ours, theirs), "\(id)")
            }
        }
    }
}
