import CVectorKernels

/// Exact search over a matrix: the answer is always that of scoring every row, however it is found.
package struct ExactIndex: Sendable {
    package let matrix: EmbeddingMatrix
    package let kernels: Kernels
    /// Rows without a direction, which no search finds.
    package var voidRowCount: Int { matrix.voidRowCount }
    /// Byte codes made here; those of a file are used in place.
    private let codes: RowCodes?
    let readsFileCodes: Bool
    /// Codes of half a byte, for searches of many rows; likewise.
    private let nibbles: RowNibbles?
    private let fewestNibbleRows: Int

    /// Makes byte codes where they are worth it and the matrix' file has none.
    ///
    /// Unless `usesCodes` says so, the kernels decide; searches by codes and by floats find the same. Searches of at least
    /// `fewestNibbleRows` rows read codes of half a byte first, which are made for as many. In memory an index of that many
    /// rows of 768 dimensions has 776 bytes of byte codes and 392 of half bytes a row; `.max` does without the latter.
    package init(
        _ matrix: EmbeddingMatrix,
        kernels: Kernels = .best,
        usesCodes: Bool? = nil,
        fewestNibbleRows: Int = RowNibbles.usualFewest,
        threads: Int = 1
    ) throws(VectorSearchError) {
        self.matrix = matrix
        self.kernels = kernels
        self.fewestNibbleRows = fewestNibbleRows
        let usesCodes = usesCodes ?? kernels.useCodes
        readsFileCodes = usesCodes && matrix.file?.layout.hasCodes == true
        if usesCodes && !readsFileCodes {
            try matrix.verify(threads: threads)
            codes = try RowCodes(of: matrix, kernels: kernels, threads: threads)
            let isLarge = matrix.count >= fewestNibbleRows
            nibbles = isLarge ? try RowNibbles(of: matrix, kernels: kernels, threads: threads) : nil
        } else {
            codes = nil
            nibbles = nil
        }
    }

    package func id(of match: Match) -> String { matrix.id(ofRow: match.row) }

    /// Replaces the file at `path` by one with this index' rows and codes.
    package func write(to path: String) throws(VectorSearchError) {
        try EmbeddingFileWriter.write(self, to: path)
    }

    var hasCodes: Bool { codes != nil || readsFileCodes }

    var hasNibbles: Bool { nibbles != nil || readsFileCodes && matrix.file?.layout.hasNibbles == true }

    /// Lends the rows with their codes, where there are any, for the duration of `body`.
    func withRows<Result, Failure: Error>(_ body: (knot_rows) throws(Failure) -> Result) throws(Failure) -> Result {
        try unsafe matrix.withRows { rows throws(Failure) in
            var rows = unsafe rows
            unsafe rows.nibble_floor = UInt32(clamping: fewestNibbleRows)
            if let codes {
                return try unsafe codes.lend(to: rows) { rows throws(Failure) in
                    guard let nibbles else { return try unsafe body(rows) }
                    return try unsafe nibbles.lend(to: rows, body)
                }
            }
            if readsFileCodes, let file = matrix.file { return try unsafe file.lendCodes(to: rows, body) }
            return try unsafe body(rows)
        }
    }

    /// Ensures that what a search of the allowed among these rows can find is what was written: blocks of a file without any
    /// are left alone.
    func verify(_ rows: Range<Int>, allowed: RowBitmap?) throws(VectorSearchError) {
        guard let file = matrix.file else { return }
        guard let allowed else { return try verify(rows) }
        for block in file.layout.blocks(of: rows) {
            let own = file.layout.rows(ofBlock: block).clamped(to: rows)
            if allowed.hasAny(in: own) { try verify(own) }
        }
    }

    /// Ensures that what a search of these rows reads is what was written.
    func verify(_ rows: Range<Int>) throws(VectorSearchError) {
        guard let file = matrix.file else { return }
        if readsFileCodes { try file.verifyCodes(rows) }
        try file.verifyRows(rows)
    }
}

/// A row that a search found.
package struct Match: Sendable, Hashable {
    package let row: Int
    /// The canonical cosine with the query: the same bits from every kind of kernels and every number of threads.
    package let score: Float

    package init(row: Int, score: Float) {
        self.row = row
        self.score = score
    }

    /// Higher scores first, equal ones by row.
    static func precedes(_ left: Match, _ right: Match) -> Bool {
        left.score != right.score ? left.score > right.score : left.row < right.row
    }
}

/// What a search found.
package struct SearchAnswer: Sendable, Equatable {
    /// For each query its matches, best first, equal scores by row.
    package let matches: [[Match]]
    package let effort: SearchEffort

    /// One answer from answers over different rows.
    static func merged(_ parts: [SearchAnswer], limit: Int) -> SearchAnswer {
        guard let first = parts.first else { return SearchAnswer(matches: [], effort: SearchEffort()) }
        return parts.dropFirst().reduce(first) { whole, part in
            SearchAnswer(
                matches: zip(whole.matches, part.matches).map { merged($0, $1, limit: limit) },
                effort: whole.effort + part.effort
            )
        }
    }

    private static func merged(_ left: [Match], _ right: [Match], limit: Int) -> [Match] {
        var result: [Match] = []
        let count = min(limit, left.count + right.count)
        result.reserveCapacity(count)
        var (fromLeft, fromRight) = (0, 0)
        while result.count < count {
            let takesLeft =
                fromRight == right.count
                || fromLeft < left.count && Match.precedes(left[fromLeft], right[fromRight])
            result.append(takesLeft ? left[fromLeft] : right[fromRight])
            if takesLeft { fromLeft += 1 } else { fromRight += 1 }
        }
        return result
    }
}

/// How much work a search did; unlike its answer, this depends on the kernels and on the number of threads.
package struct SearchEffort: Sendable, Equatable {
    /// Pairs of a row and a query that got a fast score.
    package var scanned = 0
    /// Pairs of a row and a query that got a canonical score.
    package var rescored = 0

    static func + (left: SearchEffort, right: SearchEffort) -> SearchEffort {
        SearchEffort(scanned: left.scanned + right.scanned, rescored: left.rescored + right.rescored)
    }
}
