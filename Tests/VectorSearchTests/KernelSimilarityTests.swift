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

    /// As many numbers as a small model makes, and zeros behind them; some vectors end sooner.
    private static func short(_ count: Int, seed: UInt64) throws -> [Embedding] {
        var random = SeededRandom(seed: seed)
        return try (0..<count).map { number in
            let length = number % 5 == 3 ? 200 : 384
            let values = (0..<768).map { $0 < length ? random.bell() : $0 % 2 == 0 ? 0 : -0.0 }
            return try #require(Embedding(values, model: "m"))
        }
    }

    @Test(arguments: [false, true]) func `have the same bits where vectors end in zeros`(isOneLong: Bool) throws {
        let zero = try #require(Embedding([Float](repeating: 0, count: 768), model: "m"))
        let rows = try Self.short(9, seed: 4) + [zero]
        let columns = try Self.short(6, seed: 5) + [zero] + (isOneLong ? Self.embeddings(1, seed: 6) : [])
        let expected = rows.flatMap { row in
            columns.map { PlainVector(row.values).cosine(with: PlainVector($0.values)) ?? 0 }
        }
        for kernels in Kernels.available {
            let table = try KernelSimilarity(kernels: kernels).similarities(of: rows, to: columns)
            #expect(table.values.map(\.bitPattern) == expected.map(\.bitPattern), "\(kernels)")
        }
        #expect(try KernelSimilarity().similarities(of: [zero], to: [zero]).values == [0])
    }

    @Test(arguments: [0, 1, 2, 31, 127, 128, 129, 200])
    func `of pairs are those of a whole table`(count: Int) throws {
        let rows = try Self.short(count, seed: 7)
        let table = try KernelSimilarity().similarities(of: rows, to: rows)
        for least: Float in [-1, 0, 0.05, 0.9] {
            var expected: [[Int]] = []
            for later in rows.indices {
                for earlier in 0..<later where table[later, earlier] >= least { expected.append([earlier, later]) }
            }
            let pairs = try KernelSimilarity().pairs(among: rows) { $0 >= least }
            #expect(pairs.map { [$0.earlier, $0.later] } == expected, "at least \(least)")
        }
        #expect(throws: VectorSearchError.mixedModels("other", "m")) {
            try KernelSimilarity().pairs(among: Self.embeddings(1, model: "other", seed: 1) + Self.short(1, seed: 1)) {
                _ in true
            }
        }
    }

    /// What a fast product says is only believed where it can be: not of rows without direction, nor of the very long or
    /// short ones, nor near to what is asked for.
    @Test func `of pairs are those of a whole table whatever the rows' lengths are`() throws {
        var rows = try Self.short(40, seed: 8)
        for (number, scale) in [(3, 1e-30), (8, 1e-12), (13, 1e15), (21, 0)] as [(Int, Float)] {
            rows.append(try #require(Embedding(rows[number].values.map { $0 * scale }, model: "m")))
        }
        for number in [1, 2, 34] {
            var values = rows[number].values
            values[5] += 0.01
            rows.append(try #require(Embedding(values, model: "m")))
        }
        let table = try KernelSimilarity().similarities(of: rows, to: rows)
        for kernels in Kernels.available {
            for least in [-1, -0.1, 0, table[44, 1], table[44, 1].nextUp, table[40, 3], 1.5] {
                let expected = rows.indices.flatMap { later in
                    (0..<later).filter { table[later, $0] >= least }.map { [$0, later] }
                }
                let pairs = try KernelSimilarity(kernels: kernels).pairs(among: rows) { $0 >= least }
                #expect(pairs.map { [$0.earlier, $0.later] } == expected, "at least \(least), \(kernels)")
            }
        }
    }
}
