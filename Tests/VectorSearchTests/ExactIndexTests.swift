import Exactness
import Testing

@testable import VectorSearch

@Suite("An exact index")
struct ExactIndexTests {
    @Test func `refuses queries of another model or length, and a threshold that is no number`() throws {
        let index = try ExactIndex(SomeRows.matrix(count: 3))
        #expect(throws: VectorSearchError.mixedModels("plain", "other")) {
            try index.search(SomeRows.matrix(count: 1, model: "other"), limit: 1)
        }
        #expect(throws: VectorSearchError.wrongDimension(expected: 20, found: 21)) {
            try index.search(SomeRows.matrix(count: 1, dimension: 21), limit: 1)
        }
        let numbers = [Float](repeating: 1, count: 30)
        #expect(throws: VectorSearchError.wrongDimension(expected: 20, found: 30)) {
            try index.search(numbers.span, limit: 1)
        }
        #expect(throws: VectorSearchError.impossibleThreshold) {
            try index.search(SomeRows.matrix(count: 1), limit: 1, atLeast: .nan)
        }
        let other = try #require(Embedding([Float](repeating: 1, count: 768), model: "other"))
        #expect(throws: VectorSearchError.mixedModels("plain", "other")) { try index.search([other], limit: 1) }
    }

    @Test func `refuses a filter of another matrix`() throws {
        let index = try ExactIndex(SomeRows.matrix(count: 3))
        #expect(throws: VectorSearchError.self) {
            try index.search(SomeRows.matrix(count: 1), limit: 1, where: .rows(RowBitmap(rowCount: 4)))
        }
    }

    @Test func `finds nothing for a query without a direction`() throws {
        let index = try ExactIndex(SomeRows.matrix(count: 200))
        for void in [0, .nan, .infinity] as [Float] {
            let query = [Float](repeating: void, count: 20)
            #expect(try index.search(query.span, limit: 5).matches == [[]])
        }
    }

    @Test func `finds nothing among no rows, for no limit, or where nothing is allowed`() throws {
        let query = try SomeRows.matrix(count: 2)
        #expect(try ExactIndex(SomeRows.matrix(count: 0)).search(query, limit: 5, threads: 3).matches == [[], []])
        let index = try ExactIndex(SomeRows.matrix(count: 100))
        #expect(try index.search(query, limit: 0).matches == [[], []])
        #expect(try index.search(query, limit: -1).matches == [[], []])
        #expect(try index.search(query, limit: 5, where: .ids { _ in false }).matches == [[], []])
        #expect(try index.search([Float]().span, limit: 5).matches.isEmpty)
    }

    @Test func `finds a row by itself, names it, and says what it did`() throws {
        let matrix = try SomeRows.matrix(count: 2_000)
        let index = try ExactIndex(matrix)
        let answer = try index.search(matrix, limit: 1, threads: 2)
        #expect(answer.matches.map { $0.map(\.row) } == (0..<2_000).map { [$0] })
        #expect(answer.effort.scanned + answer.effort.rescored >= 2_000)
        #expect(index.id(of: Match(row: 7, score: 1)) == "gift 7 ✓")
        #expect(index.voidRowCount == 0)
    }

    @Test func `takes embeddings, one or many`() throws {
        var matrix = try EmbeddingMatrix(model: "m")
        var random = SeededRandom(seed: 3)
        var embeddings: [Embedding] = []
        for row in 0..<70 {
            let values = (0..<768).map { _ in random.bell() }
            embeddings.append(try #require(Embedding(values, model: "m")))
            try matrix.append(embeddings[row], id: "\(row)")
        }
        let index = try ExactIndex(matrix)
        #expect(try index.search([embeddings[9]], limit: 1).matches.map { $0.map(\.row) } == [[9]])
        #expect(try index.search(embeddings, limit: 1).matches.map { $0.map(\.row) } == (0..<70).map { [$0] })
    }

    @Test func `finds what the plain computation finds, in many matrices of the worst kinds`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var seeds = SeededRandom(seed: seed)
        for number in 0..<60 {
            var maker = ChallengeMaker(seed: seeds.next())
            // Small ones: tests are built without optimisation.
            let challenge = maker.adversarial(rowsAtMost: 300)
            guard challenge.rows.count * challenge.queries.count * challenge.dimension < 300_000 else { continue }
            let threads = ExactnessProof.threads
            #expect(try challenge.verify(threads: [threads[number % threads.count]]) > 0, "seed \(seed)")
        }
    }

    @Test func `finds what the plain computation finds, with each number of threads`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var maker = ChallengeMaker(seed: seed)
        #expect(try maker.pairs(rows: 600, queries: 10).verify(threads: ExactnessProof.threads) > 0, "seed \(seed)")
    }

    @Test func `keeps all rows in doubt apart, however many are nearly equal`() throws {
        // Half a byte cannot tell these apart, and there are more of them than may wait for a closer look.
        var random = SeededRandom(seed: 5)
        let base = (0..<64).map { _ in random.bell() }
        var matrix = try EmbeddingMatrix(model: "plain", dimension: 64)
        for row in 0..<RowNibbles.usualFewest + 4_000 {
            let values = base.map { $0 + 0.01 * random.bell() }
            try matrix.append(values.span, id: "\(row)")
        }
        let expected = try ExactIndex(matrix, usesCodes: false)
        let index = try ExactIndex(matrix, usesCodes: true)
        #expect(index.hasNibbles && !expected.hasNibbles)
        for limit in [1, 10, 100] {
            for threads in [1, 2] {
                let found = try index.search(base.span, limit: limit, threads: threads).matches
                #expect(try found == expected.search(base.span, limit: limit).matches)
            }
        }
    }

    @Test func `differs from the plain computation where an answer is wrong`() throws {
        let rows: [[Float]] = [[1, 0], [0, 1]]
        let challenge = Challenge(rows: rows, queries: [[1, 0.5]], dimension: 2, limit: 2, name: "two")
        let right = challenge.plainAnswer(allowed: nil)
        #expect(right[0].map(\.row) == [0, 1])
        let wrong = [[right[0][0], Match(row: 1, score: right[0][1].score.nextUp)]]
        #expect(!Challenge.hasSameBits(right, wrong))
        #expect(!Challenge.hasSameBits(right, [Array(right[0].prefix(1))]))
        #expect(!Challenge.hasSameBits([[Match(row: 0, score: 0)]], [[Match(row: 0, score: -0.0)]]))
    }
}
