import Exactness
import Testing

@testable import VectorSearch

@Suite("An embedding matrix")
struct EmbeddingMatrixTests {
    @Test(arguments: [0, -1, 4_097, .max])
    func `refuses rows that cannot be`(dimension: Int) {
        #expect(throws: VectorSearchError.impossibleDimension(dimension)) {
            try EmbeddingMatrix(model: "m", dimension: dimension)
        }
    }

    @Test func `refuses more rows than it can number or there is memory for`() throws {
        #expect(throws: VectorSearchError.tooManyRows(1 << 40)) { try EmbeddingMatrix(model: "m", capacity: 1 << 40) }
        var matrix = try EmbeddingMatrix(model: "m", dimension: 1)
        #expect(throws: VectorSearchError.tooManyRows(.max)) { try matrix.reserve(.max) }
        #expect(matrix.isEmpty)
    }

    @Test func `refuses vectors of another length or model`() throws {
        var matrix = try EmbeddingMatrix(model: "mine")
        let short = [Float](repeating: 1, count: 767)
        #expect(throws: VectorSearchError.wrongDimension(expected: 768, found: 767)) {
            try matrix.append(short.span, id: "short")
        }
        let other = try #require(Embedding([Float](repeating: 1, count: 768), model: "other"))
        #expect(throws: VectorSearchError.mixedModels("mine", "other")) { try matrix.append(other, id: "other") }
        #expect(throws: VectorSearchError.self) { try matrix.append(contentsOf: short.span, ids: ["a", "b"]) }
        #expect(matrix.isEmpty)
    }

    @Test(arguments: [1, 3, 16, 17, 100, 769, 4_096])
    func `keeps every number, id and length of its rows`(dimension: Int) throws {
        var random = SeededRandom(seed: UInt64(dimension))
        var matrix = try EmbeddingMatrix(model: "m", dimension: dimension)
        var rows: [[Float]] = []
        for row in 0..<20 {
            rows.append((0..<dimension).map { _ in random.bell() })
            let values = rows[row]
            try matrix.append(values.span, id: "é\(row)")
        }
        let more = (0..<5).map { _ in (0..<dimension).map { _ in random.bell() } }
        let flat = more.flatMap(\.self)
        try matrix.append(contentsOf: flat.span, ids: ["", "b", "b", "d", "e"])
        rows += more
        #expect(matrix.count == 25)
        for (row, values) in rows.enumerated() {
            #expect(try matrix.values(ofRow: row) == values)
            #expect(matrix.norm(ofRow: row) == PlainVector(values).norm)
        }
        #expect(matrix.id(ofRow: 19) == "é19")
        #expect((20..<25).map { matrix.id(ofRow: $0) } == ["", "b", "b", "d", "e"])
    }

    @Test func `counts rows without a direction`() throws {
        var matrix = try EmbeddingMatrix(model: "m", dimension: 2)
        for row in [[0, 0], [1, 0], [.nan, 0], [0, -.infinity], [.leastNonzeroMagnitude, 0], [3e38, 3e38]] as [[Float]]
        {
            try matrix.append(row.span, id: "")
        }
        #expect(matrix.voidRowCount == 3)
    }

    @Test func `is a value: a copy does not see what is appended to the other`() throws {
        let first = try SomeRows.matrix(count: 3)
        var second = first
        let row = [Float](repeating: 2, count: 20)
        try second.append(row.span, id: "new")
        var third = second
        try third.append(row.span, id: "third")
        let other = [Float](repeating: 3, count: 20)
        try second.append(other.span, id: "second")
        #expect([first.count, second.count, third.count] == [3, 5, 5])
        #expect(third.id(ofRow: 4) == "third")
        #expect(try third.values(ofRow: 4) == row)
        #expect(second.id(ofRow: 4) == "second")
        #expect(try SomeRows.areSame(first, SomeRows.matrix(count: 3)))
    }
}
