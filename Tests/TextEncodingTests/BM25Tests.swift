import Glibc
import Testing

@testable import TextEncoding

@Suite struct `The BM25 ranking` {
    /// The textbook formula, one document and one term at a time.
    private func reference(_ collection: [[String]], _ query: [String]) -> [Double] {
        let average = Double(collection.map(\.count).reduce(0, +)) / Double(collection.count)
        return collection.map { document in
            Set(query).reduce(0) { sum, term in
                let often = Double(document.count { $0 == term })
                guard often > 0 else { return sum }
                let holders = Double(collection.count { $0.contains(term) })
                let weight = log(1 + (Double(collection.count) - holders + 0.5) / (holders + 0.5))
                let length = 1 - 0.75 + 0.75 * Double(document.count) / average
                return sum + weight * often * 2.2 / (often + 1.2 * length)
            }
        }
    }

    @Test func `has no scores without documents and zeros without terms`() {
        #expect(BM25(stems: []).scores(for: ["wine"]).isEmpty)
        #expect(BM25(stems: [[], []]).scores(for: ["wine"]) == [0, 0])
        let one = BM25(stems: [["wine"]])
        #expect(one.scores(for: []) == [0])
        #expect(one.idealScore(for: []) == 0)
        #expect(one.normalizedScores(for: []) == [0])
        #expect(one.normalizedScores(for: ["tea"]) == [0])
    }

    @Test func `agrees with the textbook formula on random collections`() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<200 {
            let collection = (0..<(1 + next(20))).map { _ in (0..<next(25)).map { _ in "t\(next(30))" } }
            guard collection.contains(where: { !$0.isEmpty }) else { continue }
            let query = (0..<next(8)).map { _ in "t\(next(35))" }
            let scores = BM25(stems: collection).scores(for: query)
            // Only the order of additions differs.
            #expect(zip(scores, reference(collection, query)).allSatisfy { abs($0 - $1) < 1e-12 }, "seed \(seed)")
        }
    }

    @Test func `prefers the rarer term and the fuller match`() {
        let index = BM25(stems: [["wine", "glass"], ["wine", "rack"], ["tea", "glass"], ["wine", "tea"]])
        #expect(index.weight(of: "rack") > index.weight(of: "wine"))
        #expect(index.weight(of: "unknown") > index.weight(of: "rack"))
        let scores = index.scores(for: ["wine", "glass"])
        #expect(scores[0] > scores[1] && scores[0] > scores[2])
    }

    @Test func `counts a repeated query term once`() {
        let index = BM25(stems: [["wine"], ["tea"]])
        #expect(index.scores(for: ["wine", "wine"]) == index.scores(for: ["wine"]))
        #expect(index.idealScore(for: ["wine", "wine"]) == index.idealScore(for: ["wine"]))
    }

    @Test func `normalizes to at most one, and to one for all terms at average length`() {
        let index = BM25(stems: [["wine", "glass"], ["tea", "cup"]])
        let full = index.normalizedScores(for: ["wine", "glass"])
        #expect(abs(full[0] - 1) < 1e-12 && full[1] == 0)
        #expect(index.normalizedScores(for: ["wine", "unknown"])[0] < 0.6)
        #expect(BM25(stems: [["wine"], Array(repeating: "tea", count: 50)]).normalizedScores(for: ["wine"])[0] == 1)
    }

    @Test func `leaves function words out of texts`() {
        let index = BM25(
            fingerprints: [TokenizedText("the wine of the house"), TokenizedText("the tea")].map(\.contentFingerprints)
        )
        #expect(index.scores(for: ["the", "of"]) == [0, 0])
        #expect(index.scores(for: ["wine"])[0] > 0)
    }

    @Test func `counts a field as often as it is told to`() {
        let words = [["oak", "table"], ["oak"], ["lamp", "oak", "lamp"]].map { $0.map { Fingerprint.of($0) } }
        let weighted = BM25(fields: words.map { [BM25.Field($0, times: 3), BM25.Field([], times: 2)] })
        let repeated = BM25(fingerprints: words.map { $0 + $0 + $0 })
        for query in words {
            #expect(
                weighted.normalizedScores(ofFingerprints: query) == repeated.normalizedScores(ofFingerprints: query)
            )
        }
        #expect(
            weighted.normalizedScores(ofFingerprints: words[1])
                != BM25(fingerprints: words).normalizedScores(ofFingerprints: words[1])
        )
    }
}

extension BM25 {
    /// Of words as they are written.
    fileprivate init(stems collection: [[String]]) {
        self.init(fingerprints: collection.map { $0.map(Fingerprint.of) })
    }

    fileprivate func scores(for query: [String]) -> [Double] { scores(ofFingerprints: query.map(Fingerprint.of)) }
    fileprivate func idealScore(for query: [String]) -> Double {
        idealScore(ofFingerprints: query.map(Fingerprint.of))
    }
    fileprivate func normalizedScores(for query: [String]) -> [Double] {
        normalizedScores(ofFingerprints: query.map(Fingerprint.of))
    }
    fileprivate func holders(of stem: String) -> [Int] { holders(of: Fingerprint.of(stem)) }
    fileprivate func weight(of stem: String) -> Double { weight(of: Fingerprint.of(stem)) }
}
