import Exactness
import Testing

@testable import VectorSearch

/// Searches in tiles guess how well the best will score (guess.h): a wrong guess may cost time, never a match.
@Suite("A cut that is guessed")
struct GuessedCutTests {
    private static let dimension = 48
    private static let rowCount = 4_000

    /// Random rows, some of them close to one direction, and queries of that direction.
    private func challenge(close: Range<Int>, threshold: Float = -.infinity, limit: Int = 10) -> Challenge {
        var random = SeededRandom(seed: 21)
        let direction = (0..<Self.dimension).map { _ in random.bell() }
        let rows = (0..<Self.rowCount).map { row in
            close.contains(row)
                ? direction.map { $0 + 0.1 * random.bell() } : (0..<Self.dimension).map { _ in random.bell() }
        }
        let queries = (0..<9).map { _ in direction.map { $0 + 0.1 * random.bell() } }
        return Challenge(
            rows: rows,
            queries: queries,
            dimension: Self.dimension,
            limit: limit,
            threshold: threshold,
            name: "close \(close)"
        )
    }

    /// Pairs that got a fast score with the fastest kernels, by floats and by codes, once all kernels gave the plain answer.
    private func scannedPairs(_ challenge: Challenge) throws -> [Int] {
        #expect(try challenge.verify(threads: [1, 2]) > 0)
        return try [false, true].map { usesCodes in
            let index = try ExactIndex(challenge.matrix(), usesCodes: usesCodes)
            let queries = Array(challenge.queries.joined())
            return try index.search(queries.span, limit: challenge.limit, atLeast: challenge.threshold).effort.scanned
        }
    }

    private let pairsOfOneSearch = rowCount * 9

    @Test(.enabled(if: Kernels.best.name != "scalar"), arguments: [1, 2, 10, 14, 15, 16])
    func `holds where rows come in no order: one search is enough`(limit: Int) throws {
        #expect(try scannedPairs(challenge(close: 0..<0, limit: limit)) == [pairsOfOneSearch, pairsOfOneSearch])
    }

    @Test(.enabled(if: Kernels.best.name != "scalar"))
    func `fails where nearly as many close rows as wanted come first: they are looked for again`() throws {
        for scanned in try scannedPairs(challenge(close: 0..<9)) { #expect(scanned > pairsOfOneSearch) }
    }

    @Test(.enabled(if: Kernels.best.name != "scalar"))
    func `fails where fewer rows than wanted reach the threshold: those that do are found`() throws {
        for scanned in try scannedPairs(challenge(close: 0..<6, threshold: 0.9)) {
            #expect(scanned > pairsOfOneSearch)
        }
    }

    @Test func `holds where all close rows come last`() throws {
        let all = Self.rowCount
        #expect(try challenge(close: all - 30..<all).verify(threads: [1, 3]) > 0)
    }

    @Test func `leaves the other queries alone where it fails for one`() throws {
        var random = SeededRandom(seed: 22)
        let few = challenge(close: 0..<9)
        let others = (0..<30).map { _ in (0..<Self.dimension).map { _ in random.bell() } }
        let mixed = Challenge(
            rows: few.rows,
            queries: others + few.queries.prefix(2) + others + few.queries.suffix(1),
            dimension: Self.dimension,
            limit: 10,
            name: "mixed"
        )
        #expect(try mixed.verify(threads: [1, 2]) > 0)
    }
}
