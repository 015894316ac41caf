import CVectorKernels
import Glibc
import Threads

extension ExactIndex {
    /// The best rows for each embedding: at most `limit`, each with a score of at least the threshold.
    ///
    /// More than one thread is worth it from about five milliseconds of work.
    package func search(
        _ queries: [Embedding],
        limit: Int,
        atLeast threshold: Float = -.infinity,
        where filter: RowFilter = .all,
        threads: Int = 1
    ) throws(VectorSearchError) -> SearchAnswer {
        for query in queries {
            guard query.model == matrix.model else { throw .mixedModels(matrix.model, query.model) }
        }
        if queries.count == 1, let values = queries.first?.values {
            // One query is searched where it stands.
            return try search(values.span, limit: limit, atLeast: threshold, where: filter, threads: threads)
        }
        var packed = try EmbeddingMatrix(model: matrix.model, capacity: queries.count)
        for query in queries { try packed.append(query, id: "") }
        return try search(packed, limit: limit, atLeast: threshold, where: filter, threads: threads)
    }

    /// The best rows for each row of another matrix.
    package func search(
        _ queries: EmbeddingMatrix,
        limit: Int,
        atLeast threshold: Float = -.infinity,
        where filter: RowFilter = .all,
        threads: Int = 1
    ) throws(VectorSearchError) -> SearchAnswer {
        guard queries.model == matrix.model else { throw .mixedModels(matrix.model, queries.model) }
        guard queries.dimension == matrix.dimension else {
            throw .wrongDimension(expected: matrix.dimension, found: queries.dimension)
        }
        try queries.verify(threads: threads)
        return try unsafe queries.withRows { rows throws(VectorSearchError) in
            let request = unsafe Self.request(rows.values, stride: rows.stride, count: rows.count, threshold)
            return try unsafe answer(request, limit: limit, where: filter, threads: threads)
        }
    }

    /// The best rows for queries of this matrix' model that stand one after the other, without padding.
    package func search(
        _ queries: Span<Float>,
        limit: Int,
        atLeast threshold: Float = -.infinity,
        where filter: RowFilter = .all,
        threads: Int = 1
    ) throws(VectorSearchError) -> SearchAnswer {
        let (count, rest) = queries.count.quotientAndRemainder(dividingBy: matrix.dimension)
        guard rest == 0 else { throw .wrongDimension(expected: matrix.dimension, found: queries.count) }
        guard count <= EmbeddingMatrix.mostRows else { throw .tooManyRows(count) }
        return try unsafe queries.withUnsafeBufferPointer { source throws(VectorSearchError) in
            guard let start = source.baseAddress else { return SearchAnswer(matches: [], effort: SearchEffort()) }
            let request = unsafe Self.request(start, stride: matrix.dimension, count: UInt32(count), threshold)
            return try unsafe answer(request, limit: limit, where: filter, threads: threads)
        }
    }

    /// A request that lacks the part of the rows, the limit and the filter.
    private static func request(
        _ queries: UnsafePointer<Float>,
        stride: Int,
        count: UInt32,
        _ threshold: Float
    ) -> knot_request {
        unsafe knot_request(
            queries: queries,
            query_stride: stride,
            query_count: count,
            limit: 0,
            threshold: threshold,
            first_row: 0,
            row_count: 0,
            allowed: nil
        )
    }

    /// Searches each part of the rows on a thread of its own.
    ///
    /// The request has queries and a threshold.
    private func answer(
        _ request: knot_request,
        limit: Int,
        where filter: RowFilter,
        threads: Int
    ) throws(VectorSearchError) -> SearchAnswer {
        guard unsafe !request.threshold.isNaN else { throw .impossibleThreshold }
        let allowed = try filter.bitmap(for: matrix)
        let queryCount = unsafe Int(request.query_count)
        guard limit > 0, matrix.count > 0, queryCount > 0 else {
            return SearchAnswer(matches: Array(repeating: [], count: queryCount), effort: SearchEffort())
        }
        return try unsafe withRows { rows throws(VectorSearchError) in
            // Rows, queries and bits are lent for the duration of this call, in which all threads end; they only read.
            nonisolated(unsafe) let rows = unsafe rows
            nonisolated(unsafe) let request = unsafe request
            let parts = ThreadParts.split(matrix.count, into: threads)
            let answers = ThreadParts.map(parts) { part in
                Result { () throws(VectorSearchError) in
                    try verify(part, allowed: allowed)
                    return try unsafe search(part, of: rows, request, allowed: allowed, limit: min(limit, part.count))
                }
            }
            var found: [SearchAnswer] = []
            for answer in answers { found.append(try answer.get()) }
            try matrix.file?.ensureWhole()
            return SearchAnswer.merged(found, limit: limit)
        }
    }

    private func search(
        _ part: Range<Int>,
        of rows: knot_rows,
        _ request: knot_request,
        allowed: RowBitmap?,
        limit: Int
    ) throws(VectorSearchError) -> SearchAnswer {
        var rows = unsafe rows
        var request = unsafe request
        let queryCount = unsafe Int(request.query_count)
        unsafe request.limit = UInt32(limit)
        unsafe request.first_row = UInt32(part.lowerBound)
        unsafe request.row_count = UInt32(part.count)
        let room = try unsafe Self.room(for: queryCount, limit: limit)
        defer { unsafe free(room) }
        var found = [UInt32](repeating: 0, count: queryCount)
        var effort = knot_effort()
        let status = unsafe Self.withWords(of: allowed) { words in
            unsafe request.allowed = words
            return unsafe knot_search(kernels.table, &rows, &request, room, &found, &effort)
        }
        guard status != Int32(KNOT_OUT_OF_MEMORY) else {
            throw .outOfMemory(bytes: queryCount * limit * MemoryLayout<knot_match>.stride)
        }
        precondition(status == Int32(KNOT_OK), "the kernels refused a search of existing rows")
        let matches = found.enumerated().map { query, count in
            // The kernels have written `count` ≤ `limit` matches at the beginning of the query's own room.
            unsafe UnsafeBufferPointer(start: room + query * limit, count: Int(count))
                .map { Match(row: Int($0.row), score: $0.score) }
        }
        return SearchAnswer(
            matches: matches,
            effort: SearchEffort(scanned: Int(effort.scanned), rescored: Int(effort.rescored))
        )
    }

    /// Memory for the matches of all queries, which whoever asks frees.
    private static func room(
        for queries: Int,
        limit: Int
    ) throws(VectorSearchError) -> UnsafeMutablePointer<knot_match> {
        // Both numbers fit 32 bits, and a match has 8 bytes.
        let (bytes, overflow) = (queries * limit).multipliedReportingOverflow(by: MemoryLayout<knot_match>.stride)
        guard !overflow, let memory = unsafe malloc(bytes) else { throw .outOfMemory(bytes: bytes) }
        return unsafe memory.bindMemory(to: knot_match.self, capacity: queries * limit)
    }

    private static func withWords<Result>(
        of allowed: RowBitmap?,
        _ body: (UnsafePointer<UInt64>?) -> Result
    ) -> Result {
        guard let allowed else { return body(nil) }
        return unsafe allowed.words.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}

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
        try matrix.file?.ensureWhole()
        guard status != Int32(KNOT_OUT_OF_MEMORY) else { throw .outOfMemory(bytes: queries.count * 8) }
        precondition(status == Int32(KNOT_OK), "the kernels refused a search of existing rows")
    }
}
