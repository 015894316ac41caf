import Foundation
import JSONDocument
import StageGraph
import Testing

@testable import Recommendation

/// MMR and greedy DPP held against numbers made elsewhere; they are not part of this repository.
@Suite struct GoldenDiversityTests {
    private static let folder = ProcessInfo.processInfo.environment["KNOT_SHARED"].flatMap { folder in
        FileManager.default.fileExists(atPath: "\(folder)/golden/metrics-dev.json") ? folder : nil
    }

    private struct Case {
        let id: String
        let scores: [Double]
        let vectors: [[Double]]
        let count: Int
        let lambda: Double
        let alpha: Double
        let mmr: [Int]
        let dpp: [Int]

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.string, let relevance = json["relevance"]?.array,
                let embeddings = json["embeddings"]?.array, let count = json["k"]?.int,
                let lambda = json["lambda"]?.double, let alpha = json["dpp_alpha"]?.double,
                let mmr = json["expected"]?["mmr_order"]?.array, let dpp = json["expected"]?["dpp_order"]?.array
            else { return nil }
            self.id = id
            scores = relevance.compactMap(\.double)
            vectors = embeddings.map { ($0.array ?? []).compactMap(\.double) }
            self.count = count
            self.lambda = lambda
            self.alpha = alpha
            self.mmr = mmr.compactMap(\.int)
            self.dpp = dpp.compactMap(\.int)
        }

        func cosine(_ left: Int, _ right: Int) -> Double {
            let dot = { (first: [Double], second: [Double]) in zip(first, second).reduce(0) { $0 + $1.0 * $1.1 } }
            let lengths = (dot(vectors[left], vectors[left]) * dot(vectors[right], vectors[right])).squareRoot()
            return lengths == 0 ? 0 : dot(vectors[left], vectors[right]) / lengths
        }
    }

    @Test(.enabled(if: folder != nil, "KNOT_SHARED names no folder with golden numbers: they are not here"))
    func `MMR and greedy DPP choose what the golden vectors choose`() throws {
        let folder = try #require(Self.folder)
        let path = URL(filePath: folder).appending(path: "golden/metrics-dev.json")
        let document = try JSONParser.parse([UInt8](Data(contentsOf: path)))
        let cases = try #require(document["diversity"]?["cases"]?.array)
        #expect(cases.count > 20)
        for json in cases {
            let golden = try #require(Case(json))
            let mmr = MarginalRelevance(lambda: golden.lambda)
                .choose(golden.count, scores: golden.scores, similarity: golden.cosine)
            #expect(mmr == golden.mmr, "\(golden.id)")
            let dpp = DeterminantalChoice(alpha: golden.alpha)
                .choose(golden.count, scores: golden.scores, similarity: golden.cosine)
            #expect(dpp == golden.dpp, "\(golden.id)")
        }
    }
}
