package import VectorSearch

/// A matrix, queries, and what is asked: all that a search and the plain computation need.
package struct Challenge {
    package let rows: [[Float]]
    package let queries: [[Float]]
    package let dimension: Int
    package let limit: Int
    package let threshold: Float
    package let filter: RowFilter
    /// What was made, for whoever must look into a failure.
    package let name: String

    package static let model = "plain"

    package init(
        rows: [[Float]],
        queries: [[Float]],
        dimension: Int,
        limit: Int,
        threshold: Float = -.infinity,
        filter: RowFilter = .all,
        name: String
    ) {
        self.rows = rows
        self.queries = queries
        self.dimension = dimension
        self.limit = limit
        self.threshold = threshold
        self.filter = filter
        self.name = name
    }

    package func matrix() throws -> EmbeddingMatrix {
        var matrix = try EmbeddingMatrix(model: Self.model, dimension: dimension, capacity: rows.count)
        for (number, row) in rows.enumerated() { try matrix.append(row.span, id: "row \(number)") }
        return matrix
    }

    /// The answer by scoring every pair and sorting all of them.
    package func plainAnswer(allowed: RowBitmap?) -> [[Match]] {
        let plain = rows.map { PlainVector($0) }
        return queries.map { query in
            let query = PlainVector(query)
            var matches: [Match] = []
            for (row, vector) in plain.enumerated() where allowed?[row] ?? true {
                guard let score = vector.cosine(with: query), score >= threshold else { continue }
                matches.append(Match(row: row, score: score))
            }
            matches.sort { $0.score != $1.score ? $0.score > $1.score : $0.row < $1.row }
            return Array(matches.prefix(limit))
        }
    }

    /// Searches with every kind of kernels, by floats and by codes of either size, with these numbers of threads.
    ///
    /// - Returns: How many searches were held to the plain answer.
    /// - Throws: `ExactnessFailure` at the first difference in a row, in the order, or in a bit.
    package func verify(threads: [Int]) throws -> Int {
        let matrix = try matrix()
        let expected = plainAnswer(allowed: try filter.bitmap(for: matrix))
        let flat = Array(queries.joined())
        var searches = 0
        for kernels in Kernels.available {
            // The codes of half a byte are for more rows than these challenges have, unless they are asked for.
            let ways = [("floats", false, RowNibbles.usualFewest)]
            let codedWays = [("codes", true, RowNibbles.usualFewest), ("nibbles", true, 0)]
            for (way, usesCodes, fewest) in kernels.useCodes ? ways + codedWays : ways {
                let index = try ExactIndex(
                    matrix,
                    kernels: kernels,
                    usesCodes: usesCodes,
                    fewestNibbleRows: fewest,
                    threads: threads.last ?? 1
                )
                for threads in threads {
                    let answer = try index.search(
                        flat.span,
                        limit: limit,
                        atLeast: threshold,
                        where: filter,
                        threads: threads
                    )
                    searches += 1
                    guard Self.hasSameBits(answer.matches, expected) else {
                        throw ExactnessFailure(
                            challenge: name,
                            search: "\(kernels) \(way), \(threads) threads",
                            found: answer.matches,
                            expected: expected
                        )
                    }
                }
            }
        }
        return searches
    }

    /// Equal as numbers is not enough: 0 and -0 are equal, and not the same bits.
    package static func hasSameBits(_ left: [[Match]], _ right: [[Match]]) -> Bool {
        left.elementsEqual(right) { left, right in
            left.elementsEqual(right) { $0.row == $1.row && $0.score.bitPattern == $1.score.bitPattern }
        }
    }
}
