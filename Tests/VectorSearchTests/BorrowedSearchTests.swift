import Exactness
import Testing

@testable import VectorSearch

@Suite("A search of borrowed rows")
struct BorrowedSearchTests {
    /// Rows of which some have no direction, are repeated, very long or very short.
    private static func rows(_ count: Int, _ dimension: Int, _ random: inout SeededRandom) -> [Float] {
        var values: [Float] = []
        for row in 0..<count {
            let scale: Float = row % 11 == 3 ? 0 : row % 7 == 2 ? 1e30 : row % 5 == 1 ? 1e-30 : 1
            let fresh = (0..<dimension).map { _ in random.bell() * scale }
            values += row % 13 == 6 ? Array(values.prefix(dimension)) : fresh
            if row % 17 == 9 { values[row * dimension] = .nan }
        }
        return values
    }

    @Test func `refuses what are no whole rows or queries, and impossible lengths`() {
        let (numbers, search) = ([Float](repeating: 1, count: 30), BorrowedSearch())
        #expect(throws: VectorSearchError.impossibleDimension(0)) {
            try search.search(numbers.span, for: numbers.span, dimension: 0, limit: 1) { _, _ in }
        }
        #expect(throws: VectorSearchError.wrongDimension(expected: 20, found: 30)) {
            try search.search(numbers.span, for: [Float](repeating: 1, count: 20).span, dimension: 20, limit: 1) {
                _,
                _ in
            }
        }
        #expect(throws: VectorSearchError.wrongDimension(expected: 20, found: 30)) {
            try search.search([Float](repeating: 1, count: 20).span, for: numbers.span, dimension: 20, limit: 1) {
                _,
                _ in
            }
        }
    }

    @Test(arguments: [0, 1, 2, 40, 64, 65, 300], [1, 16, 50, 768])
    func `finds what an index over the same rows finds, bit by bit`(count: Int, dimension: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let values = Self.rows(count, dimension, &random)
        var matrix = try EmbeddingMatrix(model: "plain", dimension: dimension)
        try matrix.append(contentsOf: values.span, ids: [String](repeating: "", count: count))
        for (queryCount, limit) in [(0, 3), (1, 0), (1, 8), (2, 8), (2, 16), (2, 17), (3, 1), (9, 500)] {
            let queries = Self.rows(queryCount, dimension, &random)
            let expected = try ExactIndex(matrix).search(queries.span, limit: limit).matches
            for kernels in Kernels.available {
                var found = [[Match]](repeating: [], count: queryCount)
                try BorrowedSearch(kernels: kernels).search(
                    values.span,
                    for: queries.span,
                    dimension: dimension,
                    limit: limit
                ) { query, matches in
                    #expect(found[query].isEmpty && !matches.isEmpty)
                    for place in matches.indices { found[query].append(matches[place]) }
                }
                #expect(found == expected, "\(kernels), \(queryCount) queries, limit \(limit), seed \(seed)")
            }
        }
    }
}
