import CVectorKernels

/// A row that may be among the nearest, with a lower and an upper bound of its score.
package struct Suspect: Sendable, Equatable {
    package let row: Int
    package let least: Float
    package let most: Float

    /// Scales both bounds by a share above 0.
    package func times(_ share: Float) -> Suspect { Suspect(row: row, least: least * share, most: most * share) }
}

extension ExactIndex {
    /// Whether a search reads codes first and only a few rows.
    package var readsFewRows: Bool { hasCodes }

    /// The parts of the matrix' file that every search of several queries reads; empty for a matrix in memory.
    package var searchedRanges: [Range<Int>] { matrix.file?.searchedRanges(usesCodes: readsFileCodes) ?? [] }

    /// Asks the disk for a row of the matrix' file before it is read.
    package func expect(row: Int) {
        precondition(row >= 0 && row < matrix.count, "no such row")
        matrix.file?.expect(row: row)
    }

    /// Asks the disk for the rows of a bitmap, of which those past the matrix count for nothing.
    package func expect(rows: RowBitmap) {
        guard let file = matrix.file, file.mapping.isCold else { return }
        for row in 0..<min(matrix.count, rows.rowCount) where rows[row] { file.expect(row: row) }
    }

    /// Returns for each query every row that may be among its best `limit`, in no order.
    ///
    /// With codes, hardly any row is read. The queries stand one after the other, without padding. A caller with several matrices compares the bounds of all,
    /// and then searches only the rows that remain.
    package func suspects(
        _ queries: Span<Float>,
        limit: Int,
        atLeast threshold: Float = -.infinity,
        among allowed: RowBitmap
    ) throws(VectorSearchError) -> [[Suspect]] {
        let (count, rest) = queries.count.quotientAndRemainder(dividingBy: matrix.dimension)
        guard rest == 0 else { throw .wrongDimension(expected: matrix.dimension, found: queries.count) }
        guard count <= EmbeddingMatrix.mostRows else { throw .tooManyRows(count) }
        guard !threshold.isNaN else { throw .impossibleThreshold }
        guard let allowed = try RowFilter.rows(allowed).bitmap(for: matrix), limit > 0, count > 0, matrix.count > 0
        else { return Array(repeating: [], count: count) }
        try verify(0..<matrix.count, allowed: allowed)
        let limit = min(limit, matrix.count)
        let room = knot_suspect_room(UInt32(limit), UInt32(matrix.count))
        var found = [UInt32](repeating: 0, count: count)
        var suspects = [knot_suspect](repeating: knot_suspect(), count: count * room)
        let status = unsafe withRows { rows in
            unsafe queries.withUnsafeBufferPointer { source in
                unsafe allowed.words.withUnsafeBufferPointer { words in
                    var rows = unsafe rows
                    guard let start = source.baseAddress else { return Int32(KNOT_BAD_REQUEST) }
                    var request = unsafe knot_request(
                        queries: start,
                        query_stride: matrix.dimension,
                        query_count: UInt32(count),
                        limit: UInt32(limit),
                        threshold: threshold,
                        first_row: 0,
                        row_count: UInt32(matrix.count),
                        allowed: words.baseAddress
                    )
                    return unsafe knot_search_suspects(kernels.table, &rows, &request, &suspects, &found)
                }
            }
        }
        guard status != Int32(KNOT_OUT_OF_MEMORY) else { throw .outOfMemory(bytes: suspects.count) }
        precondition(status == Int32(KNOT_OK), "the kernels refused a search of existing rows")
        try matrix.file?.ensureWhole()
        return found.enumerated().map { query, count in
            suspects[query * room..<query * room + Int(count)]
                .map { Suspect(row: Int($0.row), least: $0.lower, most: $0.upper) }
        }
    }
}
