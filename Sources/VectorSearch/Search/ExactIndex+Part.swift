import CVectorKernels

extension ExactIndex {
    /// The best of some neighbouring rows for each query, told query by query: for very many small searches, such as one in
    /// each vault's rows, where making lists of answers would cost as much as the search.
    ///
    /// The queries are of this matrix' model and stand one after the other, without padding. `found` is told the query's
    /// number and its matches, best first, if it has any.
    package func search(
        _ queries: Span<Float>,
        in part: Range<Int>,
        limit: Int,
        found: (_ query: Int, _ matches: Span<Match>) -> Void
    ) throws(VectorSearchError) {
        precondition(part.lowerBound >= 0 && part.upperBound <= matrix.count, "the part is outside of the rows")
        let (queryCount, rest) = queries.count.quotientAndRemainder(dividingBy: matrix.dimension)
        guard rest == 0 else { throw .wrongDimension(expected: matrix.dimension, found: queries.count) }
        let limit = min(limit, part.count)
        guard limit > 0, queryCount > 0, queryCount <= EmbeddingMatrix.mostRows else { return }
        try verify(part)
        // The part lies within the rows, and every query is whole.
        let status = unsafe withRows { rows in
            unsafe kernels.search(rows, in: part, for: queries, limit: limit, found: found)
        }
        guard status != Int32(KNOT_OUT_OF_MEMORY) else { throw .outOfMemory(bytes: queries.count * 8) }
        precondition(status == Int32(KNOT_OK), "the kernels refused a search of existing rows")
    }
}
