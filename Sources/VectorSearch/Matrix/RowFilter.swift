/// Which rows a search may return.
///
/// A filter never costs exactness: the answer is that of a matrix of the allowed rows.
package enum RowFilter: Sendable {
    case all
    case rows(RowBitmap)
    /// Asked once for each row of the matrix before a search; make a bitmap of it for many searches.
    case ids(@Sendable (String) -> Bool)

    /// The allowed rows as bits; nil for all of them.
    package func bitmap(for matrix: EmbeddingMatrix) throws(VectorSearchError) -> RowBitmap? {
        switch self {
        case .all: nil
        case .ids(let isIn): RowBitmap(rowCount: matrix.count) { isIn(matrix.id(ofRow: $0)) }
        case .rows(let bitmap) where bitmap.rowCount == matrix.count: bitmap
        case .rows(let bitmap):
            throw .unequalCounts("A filter of \(bitmap.rowCount) rows was given for a matrix of \(matrix.count)")
        }
    }
}
