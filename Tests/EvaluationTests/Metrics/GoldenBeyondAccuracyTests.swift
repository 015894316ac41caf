import Evaluation
import JSONDocument
import Testing

/// Diversity, exposure, novelty and calibration held against numbers made elsewhere.
@Suite(.enabled(if: GoldenNumbers.areHere, Comment(rawValue: GoldenNumbers.absence)))
struct GoldenBeyondAccuracyTests {
    private func expectSame(_ ours: [Double?], _ golden: JSONValue?, _ name: String) throws {
        let golden = try #require(golden?.array, "\(name)")
        #expect(ours.count == golden.count, "\(name)")
        for (value, expected) in zip(ours, golden) {
            #expect(GoldenNumbers.agree(value, expected.double), "\(name): \(String(describing: value))")
        }
    }

    private static func cosine(_ left: [Double], _ right: [Double]) -> Double {
        func dot(_ first: [Double], _ second: [Double]) -> Double { zip(first, second).reduce(0) { $0 + $1.0 * $1.1 } }
        let lengths = (dot(left, left) * dot(right, right)).squareRoot()
        return lengths == 0 ? 0 : dot(left, right) / lengths
    }

    @Test(arguments: GoldenNumbers.files)
    func `are the golden numbers`(file: String) throws {
        let cases = try #require(try GoldenNumbers.document(file)["beyond_accuracy"]?["cases"]?.array)
        #expect(!cases.isEmpty)
        for json in cases {
            let id = try #require(json["id"]?.string)
            let lists = try #require(json["lists"]?.array).map(\.ints)
            let vectors = try #require(json["embeddings"]?.array).map(\.doubles)
            let expected = try #require(json["expected"])
            let diversity = lists.map { list in
                ListDiversity.meanDistance(count: list.count) {
                    Self.cosine(vectors[list[$0]], vectors[list[$1]])
                }
            }
            try expectSame(diversity, expected["ild_cosine"], "\(id) ILD")
            #expect(GoldenNumbers.agree(DefinedMean(diversity).mean, expected["ild_cosine_mean"]?.double), "\(id)")
            let exposure = CatalogueExposure(
                lists.map { $0.map(String.init) },
                eligible: Set((0..<(try #require(json["catalogue_size"]?.int))).map(String.init))
            )
            #expect(GoldenNumbers.agree(exposure.coverage, expected["catalogue_coverage"]?.double), "\(id) coverage")
            #expect(GoldenNumbers.agree(exposure.gini, expected["gini_count"]?.double), "\(id) Gini")
            #expect(GoldenNumbers.agree(exposure.entropy, expected["entropy_log2"]?.double), "\(id) entropy")
            let popularity = try #require(json["popularity"]).ints
            let users = try #require(json["users"]?.int)
            let novelty = lists.map { list in
                Novelty.selfInformation(popularity: list.map { popularity[$0] }, users: users)
            }
            try expectSame(novelty, expected["novelty_selfinfo_laplace"], "\(id) novelty")
            let target = try #require(json["target"]).doubles
            let types = try #require(json["types"]).ints
            let mixes = lists.map { Calibration.shares(of: $0.map { types[$0] }, kindCount: target.count) }
            try expectSame(
                mixes.map { $0.map { Calibration.divergence(target: target, shown: $0) } },
                expected["calibration_kl_alpha_0.01_log2"],
                "\(id) KL"
            )
        }
    }
}
