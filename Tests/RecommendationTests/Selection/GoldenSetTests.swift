import Foundation
import JSONDocument
import KnotDomain
import StageGraph
import Testing
import TextEncoding

@testable import Recommendation

/// What the selectors' choices are worth, held against numbers made elsewhere; they are not part of this repository.
@Suite struct GoldenSetTests {
    private static let folder = ProcessInfo.processInfo.environment["KNOT_SHARED"].flatMap { folder in
        FileManager.default.fileExists(atPath: "\(folder)/golden") ? folder : nil
    }
    private static let tolerance = 1e-9

    /// Three places of a pool, lowest first.
    private static func triples(of count: Int) -> [[Int]] {
        (0..<count).flatMap { first in
            (first + 1..<count).flatMap { second in (second + 1..<count).map { [first, second, $0] } }
        }
    }

    private struct Case {
        let id: String
        let scores: [Double]
        let vectors: [[Double]]
        let count: Int
        let lambda: Double
        let alpha: Double
        let expected: JSONValue

        init?(_ json: JSONValue) {
            guard let id = json["id"]?.string, let relevance = json["relevance"]?.array,
                let embeddings = json["embeddings"]?.array, let count = json["k"]?.int,
                let lambda = json["lambda"]?.double, let alpha = json["dpp_alpha"]?.double,
                let expected = json["expected"]
            else { return nil }
            self.id = id
            scores = relevance.compactMap(\.double)
            vectors = embeddings.map { ($0.array ?? []).compactMap(\.double) }
            self.count = count
            self.lambda = lambda
            self.alpha = alpha
            self.expected = expected
        }

        func cosine(_ left: Int, _ right: Int) -> Double {
            let dot = { (first: [Double], second: [Double]) in zip(first, second).reduce(0) { $0 + $1.0 * $1.1 } }
            let lengths = (dot(vectors[left], vectors[left]) * dot(vectors[right], vectors[right])).squareRoot()
            return lengths == 0 ? 0 : dot(vectors[left], vectors[right]) / lengths
        }

        func kernel(_ left: Int, _ right: Int) -> Double {
            exp(alpha * (scores[left] + scores[right]) / 2) * cosine(left, right)
        }

        /// The logarithms of the pivots of the kernel's rows in this order: what each place adds to the determinant.
        func logPivots(_ order: [Int]) -> [Double] {
            var rows: [[Double]] = []
            return order.enumerated().map { index, place in
                var row: [Double] = []
                for (other, name) in order.prefix(index).enumerated() {
                    let projected = zip(rows[other], row).reduce(0) { $0 + $1.0 * $1.1 }
                    row.append((kernel(place, name) - projected) / rows[other][other])
                }
                let pivot = kernel(place, place) - row.reduce(0) { $0 + $1 * $1 }
                rows.append(row + [pivot.squareRoot()])
                return log(pivot)
            }
        }

        func determinant(_ set: [Int]) -> Double {
            let entry = { (row: Int, column: Int) in kernel(set[row], set[column]) }
            return entry(0, 0) * (entry(1, 1) * entry(2, 2) - entry(1, 2) * entry(2, 1))
                - entry(0, 1) * (entry(1, 0) * entry(2, 2) - entry(1, 2) * entry(2, 0))
                + entry(0, 2) * (entry(1, 0) * entry(2, 1) - entry(1, 1) * entry(2, 0))
        }
    }

    private static func cases() throws -> [Case] {
        let folder = URL(filePath: try #require(Self.folder)).appending(path: "golden")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasPrefix("metrics-") && $0.hasSuffix(".json")
        }
        return try files.sorted().flatMap { file in
            let document = try JSONParser.parse([UInt8](Data(contentsOf: folder.appending(path: file))))
            return try #require(document["diversity"]?["cases"]?.array).map { try #require(Case($0)) }
        }
    }

    @Test(.enabled(if: folder != nil, "KNOT_SHARED names no folder with golden numbers: they are not here"))
    func `MMR and greedy DPP reach the golden values with every choice`() throws {
        for golden in try Self.cases() {
            let mmr = MarginalRelevance(lambda: golden.lambda)
                .choose(golden.count, scores: golden.scores, similarity: golden.cosine)
            let values = mmr.enumerated().map { index, place -> Double in
                guard let nearest = mmr.prefix(index).map({ golden.cosine(place, $0) }).max() else {
                    return golden.scores[place]
                }
                return golden.lambda * golden.scores[place] - (1 - golden.lambda) * nearest
            }
            try Self.expectSame(values, golden.expected["mmr_values"], "\(golden.id) MMR")
            let dpp = DeterminantalChoice(alpha: golden.alpha)
                .choose(golden.count, scores: golden.scores, similarity: golden.cosine)
            let pivots = golden.logPivots(dpp)
            try Self.expectSame(pivots, golden.expected["dpp_log_increments"], "\(golden.id) DPP")
            let sum = try #require(golden.expected["dpp_logdet"]?.double)
            #expect((pivots.reduce(0, +) - sum).magnitude <= Self.tolerance, "\(golden.id)")
        }
    }

    @Test(.enabled(if: folder != nil, "KNOT_SHARED names no folder with golden numbers: they are not here"))
    func `the set objective values sets as the golden search does`() throws {
        for golden in try Self.cases() {
            guard let exhaustive = golden.expected["exhaustive"], !exhaustive.isNull else { continue }
            let rules = SetRules(distinctMerchants: false, noNearDuplicates: false)
            let objective = SetObjective(strength: try #require(exhaustive["theta"]?.double), rules: rules)
            func value(_ set: [Int]) -> Double {
                objective.value(of: set, golden.scores) { 1 - golden.cosine($0, $1) }
            }
            let triples = Self.triples(of: golden.scores.count)
            let best = try #require(triples.max { value($0) < value($1) })
            #expect(best == exhaustive["best_triple_linear"]?.array?.compactMap(\.int), "\(golden.id)")
            let most = try #require(exhaustive["best_value_linear"]?.double)
            #expect((value(best) - most).magnitude <= Self.tolerance, "\(golden.id)")
            let widest = try #require(triples.max { golden.determinant($0) < golden.determinant($1) })
            #expect(widest == exhaustive["best_triple_det"]?.array?.compactMap(\.int), "\(golden.id)")
            let determinant = try #require(exhaustive["best_det"]?.double)
            // A determinant has the size of its numbers, and so has its rounding.
            #expect((golden.determinant(widest) / determinant - 1).magnitude <= Self.tolerance, "\(golden.id)")
            let mmr = MarginalRelevance(lambda: golden.lambda)
                .choose(3, scores: golden.scores, similarity: golden.cosine)
            if let reached = exhaustive["mmr_value_linear"]?.double {
                #expect((value(mmr) - reached).magnitude <= Self.tolerance, "\(golden.id)")
            }
            let dpp = DeterminantalChoice(alpha: golden.alpha)
                .choose(3, scores: golden.scores, similarity: golden.cosine)
            if let ratio = exhaustive["greedy_dpp_det_ratio"]?.double {
                #expect((golden.determinant(dpp) / determinant - ratio).magnitude <= Self.tolerance, "\(golden.id)")
            }
        }
    }

    private static func expectSame(_ ours: [Double], _ golden: JSONValue?, _ name: String) throws {
        let golden = try #require(golden?.array).compactMap(\.double)
        #expect(ours.count == golden.count, "\(name)")
        for (value, expected) in zip(ours, golden) {
            #expect((value - expected).magnitude <= tolerance, "\(name): \(value) and not \(expected)")
        }
    }
}
