import Exactness
import Testing

@testable import VectorSearch

@Suite("Similarities by kernels")
struct KernelSimilarityTests {
    private static func embeddings(_ count: Int, model: String = "m", seed: UInt64) throws -> [Embedding] {
        var random = SeededRandom(seed: seed)
        return try (0..<count).map { _ in
            try #require(Embedding((0..<768).map { _ in random.bell() }, model: model))
        }
    }

    @Test func `refuse vectors of different models, wherever they stand`() throws {
        let (mine, other) = (try Self.embeddings(2, seed: 1), try Self.embeddings(1, model: "other", seed: 1))
        let engine = KernelSimilarity()
        #expect(throws: VectorSearchError.mixedModels("m", "other")) { try engine.similarities(of: mine, to: other) }
        #expect(throws: VectorSearchError.mixedModels("m", "other")) {
            try engine.similarities(of: mine + other, to: [])
        }
        #expect(throws: VectorSearchError.mixedModels("m", "other")) {
            try engine.similarities(of: [], to: mine + other)
        }
    }

    @Test func `of nothing are an empty table of the right shape`() throws {
        let some = try Self.embeddings(3, seed: 1)
        #expect(
            try KernelSimilarity().similarities(of: some, to: [])
                == SimilarityTable(rowCount: 3, columnCount: 0, values: [])
        )
    }

    @Test func `have the bits of the plain computation with all kernels`() throws {
        let zero = try #require(Embedding([Float](repeating: 0, count: 768), model: "m"))
        let (rows, columns) = (try Self.embeddings(7, seed: 2) + [zero], try Self.embeddings(5, seed: 3) + [zero])
        let expected = rows.flatMap { row in
            columns.map { PlainVector(row.values).cosine(with: PlainVector($0.values)) ?? 0 }
        }
        for kernels in Kernels.available {
            let table = try KernelSimilarity(kernels: kernels).similarities(of: rows, to: columns)
            #expect(table.values.map(\.bitPattern) == expected.map(\.bitPattern), "\(kernels)")
            #expect(table[7, 2] == 0)
            #expect(table.rowCount == 8 && table.columnCount == 6)
        }
    }
}
