import Exactness
import Testing

@testable import VectorSearch

/// Parts of one whole compare bounds before they read rows: a bound that is wrong would lose a match.
@Suite("Rows that may be among the nearest")
struct SuspectsTests {
    private static let dimension = 48
    private static let limit = 20

    private static func index(rows: Int, _ kernels: Kernels, usesCodes: Bool) throws -> ExactIndex {
        try ExactIndex(
            SomeRows.matrix(count: rows, dimension: dimension),
            kernels: kernels,
            usesCodes: usesCodes,
            fewestNibbleRows: 1
        )
    }

    private static func queries(_ count: Int) -> [Float] {
        var random = SeededRandom(seed: 5)
        return (0..<count * dimension).map { _ in random.bell() }
    }

    @Test(arguments: Kernels.available, [1, 3, 9])
    func `hold every match between their bounds, and no row that is not allowed`(kernels: Kernels, count: Int) throws {
        let queries = Self.queries(count)
        for (rows, usesCodes) in [(2_000, true), (2_000, false), (50, true), (0, true)] {
            let index = try Self.index(rows: rows, kernels, usesCodes: usesCodes)
            let allowed = RowBitmap(rowCount: rows) { $0 % 3 != 0 }
            let found = try index.search(queries.span, limit: Self.limit, where: .rows(allowed)).matches
            let suspects = try index.suspects(queries.span, limit: Self.limit, among: allowed)
            #expect(suspects.count == count)
            for (matches, suspects) in zip(found, suspects) {
                #expect(suspects.allSatisfy { allowed[$0.row] && $0.least <= $0.most })
                for match in matches {
                    let own = suspects.filter { $0.row == match.row }
                    #expect(own.count == 1 && own[0].least <= match.score && match.score <= own[0].most)
                }
            }
        }
    }

    @Test func `leave out what the threshold rules out`() throws {
        let queries = Self.queries(9)
        let index = try Self.index(rows: 2_000, .best, usesCodes: true)
        let all = RowBitmap(rowCount: 2_000) { _ in true }
        let matches = try index.search(queries.span, limit: Self.limit, where: .rows(all)).matches
        let threshold = try #require(matches.compactMap(\.first).map(\.score).max())
        let suspects = try index.suspects(queries.span, limit: Self.limit, atLeast: threshold, among: all)
        #expect(suspects.joined().allSatisfy { $0.most >= threshold })
        #expect(suspects.joined().count < matches.joined().count)
    }

    @Test func `are refused where a search is`() throws {
        let index = try Self.index(rows: 100, .best, usesCodes: true)
        let queries = Self.queries(1)
        #expect(throws: VectorSearchError.impossibleThreshold) {
            try index.suspects(queries.span, limit: 1, atLeast: .nan, among: RowBitmap(rowCount: 100))
        }
        #expect(throws: VectorSearchError.self) {
            try index.suspects(queries.span, limit: 1, among: RowBitmap(rowCount: 99))
        }
        #expect(throws: VectorSearchError.wrongDimension(expected: Self.dimension, found: 47)) {
            try index.suspects(queries.span.extracting(first: 47), limit: 1, among: RowBitmap(rowCount: 100))
        }
    }
}
