import Evaluation
import Testing
import TextEncoding
import VectorSearch

@testable import Retrieval

@Suite("A retrieval run")
struct RetrievalRunTests {
    private let set = RetrievalSet(
        name: "tea",
        documents: [
            RetrievalDocument(id: "a", text: "a kettle for green tea"),
            RetrievalDocument(id: "b", text: "a garden hose"),
            RetrievalDocument(id: "c", text: "teapots"), RetrievalDocument(id: "d", text: "boots"),
        ],
        topics: [
            RetrievalTopic(id: "1", query: "the kettle", grades: JudgedGrades(["a": 1, "b": 0])),
            RetrievalTopic(id: "2", query: "teapot", candidates: [1, 2, 3], grades: JudgedGrades(["c": 1, "b": 0])),
            RetrievalTopic(id: "3", query: "nothing", grades: JudgedGrades(["b": 0])),
        ]
    )

    private func ndcg(_ system: RetrievalSystem, _ run: RetrievalRun) throws -> [Double?] {
        try run.metrics(of: system).map { $0.ndcg(at: 10) }
    }

    @Test func `leaves out and counts queries without anything to find`() {
        #expect(set.topics.map(\.id) == ["1", "2"])
        #expect(set.leftOut == 1)
    }

    @Test func `finds by words what has them, and by stems what has others of them`() throws {
        let run = RetrievalRun(set)
        #expect(try ndcg(.plainWords, run)[0] == 1)
        #expect(try ndcg(.words, run) == [1, 1])
        // No document has the word itself: all scores are equal, and ties go by id descending.
        #expect(try ndcg(.plainWords, run)[1] == ndcg(.constant, run)[1])
        #expect(run.systems == [.constant, .random, .plainWords, .words])
    }

    @Test func `ranks by cosines and by both`() throws {
        func embedding(_ values: [Float]) throws -> Embedding {
            let zeros = [Float](repeating: 0, count: Embedding.dimension - values.count)
            return try #require(Embedding(values + zeros, model: "m"))
        }
        var run = RetrievalRun(set)
        let documents = try [[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0.5, 1]].map(embedding)
        try run.add(precision: "f32", queries: [embedding([1, 0, 0]), embedding([0, 1, 1])], documents: documents)
        #expect(run.systems.suffix(3) == [.dense("f32"), .sum("f32"), .ranks("f32")])
        for system in run.systems.suffix(3) { #expect(try ndcg(system, run) == [1, 1], "\(system.name)") }
        let figures = try RetrievalFigure.all(run, of: set)
        #expect(figures.count == 7 * RetrievalMetric.allCases.count)
        #expect(figures.filter { $0.system == .dense("f32") }.allSatisfy { $0.p == nil && $0.count == 2 })
        #expect(figures.filter { $0.system == .words && $0.metric == .ndcg3 }.map(\.p) == [1])
    }

    @Test func `has words as Python finds them`() {
        #expect(
            PlainWords.words(of: "It's 5 o'clock_now — Ünïted TV-set") == [
                "it", "s", "5", "o", "clock_now", "ünïted", "tv", "set",
            ]
        )
        #expect(PlainWords.words(of: " \u{1F600} ") == [])
    }

    @Test func `of lists without a difference by ranks has none`() {
        #expect(Set(ScoreFusion.reciprocalRanks([[3, 3, 3]])).count == 1)
        #expect(ScoreFusion.reciprocalRanks([[], []]) == [])
    }

    @Test func `by ranks depends on the order of each list alone, and equal scores share their ranks`() {
        let fused = ScoreFusion.reciprocalRanks([[9, 1, 1], [0.2, 0.3, 0.1]], damping: 0)
        // The second and third share rank 2.5 of the first list, and have ranks 1 and 3 of the second.
        let expected: [Double] = [1 + 0.5, 0.4 + 1, 0.4 + 1 / 3]
        #expect(fused == expected)
        #expect(ScoreFusion.reciprocalRanks([[900, 0.5, 0.5], [2, 3, 1]], damping: 0) == fused)
    }
}
