import CVectorKernels

/// Exact searches of rows that lie one after another in somebody else's memory, without taking a copy of them.
///
/// No lengths are known beforehand: a search of a few rows works them out while it reads them, which costs nothing next to
/// the memory. Rows that are searched again and again belong in an `EmbeddingMatrix`.
package struct BorrowedSearch: Sendable {
    private let kernels: Kernels

    package init(kernels: Kernels = .best) { self.kernels = kernels }

    /// The best rows for each query, told query by query; both sides stand without padding.
    ///
    /// `found` is told the query's number and its matches, best first, if it has any. Scores and order are those of an
    /// `ExactIndex` over the same rows.
    package func search(
        _ rows: Span<Float>,
        for queries: Span<Float>,
        dimension: Int,
        limit: Int,
        found: (_ query: Int, _ matches: Span<Match>) -> Void
    ) throws(VectorSearchError) {
        guard (1...EmbeddingMatrix.mostDimensions).contains(dimension) else { throw .impossibleDimension(dimension) }
        let (rowCount, rowRest) = rows.count.quotientAndRemainder(dividingBy: dimension)
        let (queryCount, queryRest) = queries.count.quotientAndRemainder(dividingBy: dimension)
        guard rowRest == 0 else { throw .wrongDimension(expected: dimension, found: rows.count) }
        guard queryRest == 0 else { throw .wrongDimension(expected: dimension, found: queries.count) }
        guard rowCount <= EmbeddingMatrix.mostRows else { throw .tooManyRows(rowCount) }
        guard queryCount <= EmbeddingMatrix.mostRows else { throw .tooManyRows(queryCount) }
        let limit = min(limit, rowCount)
        guard limit > 0, queryCount > 0 else { return }
        let status = unsafe rows.withUnsafeBufferPointer { source -> Int32 in
            guard let values = source.baseAddress else { return Int32(KNOT_OK) }
            let lent = unsafe knot_rows(
                values: values,
                stride: dimension,
                count: UInt32(rowCount),
                dimension: UInt32(dimension),
                norms: nil
            )
            // Whole rows and whole queries, checked above.
            return unsafe kernels.search(lent, in: 0..<rowCount, for: queries, limit: limit, found: found)
        }
        guard status != Int32(KNOT_OUT_OF_MEMORY) else { throw .outOfMemory(bytes: rowCount * 8) }
        precondition(status == Int32(KNOT_OK), "the kernels refused a search of lent rows")
    }
}
