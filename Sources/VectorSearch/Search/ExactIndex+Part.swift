import CVectorKernels

extension ExactIndex {
    /// The best of some neighbouring rows for each query, told one by one: for very many small searches, such as one in
    /// each vault's rows, where making lists of answers would cost as much as the search.
    ///
    /// The queries are of this matrix' model and stand one after the other, without padding. `found` is told the query's
    /// number, the place among its matches from 0 on, and the match.
    package func search(
        _ queries: Span<Float>,
        in part: Range<Int>,
        limit: Int,
        found: (_ query: Int, _ place: Int, _ match: Match) -> Void
    ) throws(VectorSearchError) {
        precondition(part.lowerBound >= 0 && part.upperBound <= matrix.count, "the part is outside of the rows")
        let (queryCount, rest) = queries.count.quotientAndRemainder(dividingBy: matrix.dimension)
        guard rest == 0 else { throw .wrongDimension(expected: matrix.dimension, found: queries.count) }
        let limit = min(limit, part.count)
        guard limit > 0, queryCount > 0, queryCount <= EmbeddingMatrix.mostRows else { return }
        try verify(part)
        let status = unsafe withRows { rows in
            unsafe queries.withUnsafeBufferPointer { source in
                unsafe withUnsafeTemporaryAllocation(of: knot_match.self, capacity: queryCount * limit) { matches in
                    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: queryCount) { counts in
                        guard let queries = source.baseAddress, let room = matches.baseAddress,
                            let filled = counts.baseAddress
                        else { return Int32(KNOT_BAD_REQUEST) }
                        var rows = unsafe rows
                        var request = unsafe knot_request(
                            queries: queries,
                            query_stride: matrix.dimension,
                            query_count: UInt32(queryCount),
                            limit: UInt32(limit),
                            threshold: -.infinity,
                            first_row: UInt32(part.lowerBound),
                            row_count: UInt32(part.count),
                            allowed: nil
                        )
                        let status = unsafe knot_search(kernels.table, &rows, &request, room, filled, nil)
                        guard status == Int32(KNOT_OK) else { return status }
                        for query in 0..<queryCount {
                            for place in unsafe 0..<Int(filled[query]) {
                                // The kernels have written that many, at most `limit`, in the query's own room.
                                let match = unsafe room[query * limit + place]
                                found(query, place, Match(row: Int(match.row), score: match.score))
                            }
                        }
                        return status
                    }
                }
            }
        }
        guard status != Int32(KNOT_OUT_OF_MEMORY) else { throw .outOfMemory(bytes: queries.count * 8) }
        precondition(status == Int32(KNOT_OK), "the kernels refused a search of existing rows")
    }
}
