import CVectorKernels

extension Kernels {
    /// Searches neighbouring rows without making lists of answers, and tells the matches of each query that has any.
    ///
    /// The queries stand one after the other, without padding, and there is room in 32 bits for their number.
    func search(
        _ rows: knot_rows,
        in part: Range<Int>,
        for queries: Span<Float>,
        limit: Int,
        found: (_ query: Int, _ matches: Span<Match>) -> Void
    ) -> Int32 {
        let dimension = unsafe Int(rows.dimension)
        let queryCount = queries.count / dimension
        return unsafe queries.withUnsafeBufferPointer { source in
            unsafe withUnsafeTemporaryAllocation(of: knot_match.self, capacity: queryCount * limit) { matches in
                unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: queryCount) { counts in
                    guard let queries = source.baseAddress, let room = matches.baseAddress,
                        let filled = counts.baseAddress
                    else { return Int32(KNOT_BAD_REQUEST) }
                    var rows = unsafe rows
                    var request = unsafe knot_request(
                        queries: queries,
                        query_stride: dimension,
                        query_count: UInt32(queryCount),
                        limit: UInt32(limit),
                        threshold: -.infinity,
                        first_row: UInt32(part.lowerBound),
                        row_count: UInt32(part.count),
                        allowed: nil
                    )
                    let status = unsafe knot_search(table, &rows, &request, room, filled, nil)
                    guard status == Int32(KNOT_OK) else { return status }
                    return unsafe withUnsafeTemporaryAllocation(of: Match.self, capacity: limit) { best in
                        guard let best = best.baseAddress else { return Int32(KNOT_BAD_REQUEST) }
                        for query in 0..<queryCount where unsafe filled[query] > 0 {
                            // The kernels have written that many, at most `limit`, in the query's own room.
                            let count = unsafe Int(filled[query])
                            for place in 0..<count {
                                let match = unsafe room[query * limit + place]
                                unsafe (best + place).initialize(to: Match(row: Int(match.row), score: match.score))
                            }
                            found(query, unsafe Span(_unsafeStart: best, count: count))
                        }
                        return status
                    }
                }
            }
        }
    }
}
