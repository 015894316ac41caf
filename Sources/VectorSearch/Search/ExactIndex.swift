import CVectorKernels

/// Exact search over a matrix: the answer is always that of scoring every row, however it is found.
package struct ExactIndex: Sendable {
    package let matrix: EmbeddingMatrix
    package let kernels: Kernels
    /// Rows without a direction, which no search finds.
    package let voidRowCount: Int
    /// Byte codes made here; those of a file are used in place.
    private let codes: RowCodes?
    private let readsFileCodes: Bool

    /// Makes byte codes where they are worth it and the matrix' file has none.
    ///
    /// Unless `usesCodes` says so, the kernels decide; searches by codes and by floats find the same.
    package init(
        _ matrix: EmbeddingMatrix,
        kernels: Kernels = .best,
        usesCodes: Bool? = nil,
        threads: Int = 1
    ) throws(VectorSearchError) {
        self.matrix = matrix
        self.kernels = kernels
        voidRowCount = matrix.voidRowCount
        let usesCodes = usesCodes ?? kernels.useCodes
        readsFileCodes = usesCodes && matrix.file?.layout.hasCodes == true
        if usesCodes && !readsFileCodes {
            try matrix.verify(threads: threads)
            codes = try RowCodes(of: matrix, kernels: kernels, threads: threads)
        } else {
            codes = nil
        }
    }

    /// The id of the row that was found.
    package func id(of match: Match) -> String { matrix.id(ofRow: match.row) }

    /// Replaces the file at `path` by one with this index' rows and codes.
    package func write(to path: String) throws(VectorSearchError) {
        try EmbeddingFileWriter.write(self, to: path)
    }

    var hasCodes: Bool { codes != nil || readsFileCodes }

    /// Lends the rows with their codes, where there are any, for the duration of `body`.
    func withRows<Result, Failure: Error>(
        _ body: (knot_rows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe matrix.withRows { rows throws(Failure) in
            if let codes { return try unsafe codes.lend(to: rows, body) }
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
