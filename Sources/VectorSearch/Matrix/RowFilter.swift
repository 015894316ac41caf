import CVectorKernels

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

/// A set of rows, one bit for each row of a matrix.
package struct RowBitmap: Sendable, Equatable {
    /// From the lowest bit of the first word; bits past the last row are 0.
    package private(set) var words: [UInt64]
    package let rowCount: Int

    package init(rowCount: Int) {
        precondition(rowCount >= 0, "a negative number of rows")
        self.rowCount = rowCount
        words = Array(repeating: 0, count: (rowCount + 63) / 64)
    }

    /// A set by its bits; those past the last row are left out.
    package init(rowCount: Int, words: [UInt64]) {
        precondition(words.count == (rowCount + 63) / 64, "bits for another number of rows")
        self.rowCount = rowCount
        self.words = words
        if rowCount & 63 != 0 { self.words[words.count - 1] &= .max >> UInt64(64 - rowCount & 63) }
    }

    package init(rowCount: Int, where isIn: (Int) throws -> Bool) rethrows {
        self.init(rowCount: rowCount)
        for row in 0..<rowCount where try isIn(row) { words[row >> 6] |= 1 << UInt64(row & 63) }
    }

    package subscript(row: Int) -> Bool {
        get {
            precondition(row >= 0 && row < rowCount, "no such row")
            return words[row >> 6] >> UInt64(row & 63) & 1 == 1
        }
        set {
            precondition(row >= 0 && row < rowCount, "no such row")
            if newValue {
                words[row >> 6] |= 1 << UInt64(row & 63)
            } else {
                words[row >> 6] &= ~(1 << UInt64(row & 63))
            }
        }
    }

    /// Whether any of these rows is in.
    package func hasAny(in rows: Range<Int>) -> Bool {
        precondition(rows.lowerBound >= 0 && rows.upperBound <= rowCount, "no such rows")
        guard let last = rows.last else { return false }
        let (first, end) = (rows.lowerBound >> 6, last >> 6)
        for word in first...end {
            var bits = words[word]
            if word == first { bits &= .max << UInt64(rows.lowerBound & 63) }
            if word == end { bits &= .max >> UInt64(63 - last & 63) }
            if bits != 0 { return true }
        }
        return false
    }

    /// How many rows are in.
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
}

extension knot_rows {
    /// Rows without byte codes, lent for as long as the memory stays; without norms each search works them out.
    init(values: UnsafePointer<Float>, stride: Int, count: UInt32, dimension: UInt32, norms: UnsafePointer<Double>?) {
        unsafe self.init(
            values: values,
            stride: stride,
            count: count,
            dimension: dimension,
            norms: norms,
            codes: nil,
            code_stride: 0,
            scales: nil,
            reaches: nil,
            nibbles: nil,
            nibble_stride: 0,
            nibble_scales: nil,
            nibble_reaches: nil,
            nibble_floor: 0
        )
    }

    /// The lengths of rows that a matrix has lent, which always knows them.
    var knownNorms: UnsafePointer<Double> {
        guard let norms = unsafe norms else { preconditionFailure("rows without lengths where lengths are needed") }
        return unsafe norms
    }
}

/// Many short texts in one piece of memory, made into strings only when somebody asks.
struct PackedIDs: Sendable {
    /// The UTF-8 of all ids, one after the other.
    private(set) var bytes: [UInt8] = []
    /// Where each id begins, and where the last one ends.
    private(set) var offsets: [UInt64] = [0]

    init() {}

    init(bytes: [UInt8], offsets: [UInt64]) {
        self.bytes = bytes
        self.offsets = offsets
    }

    var count: Int { offsets.count - 1 }

    subscript(row: Int) -> String {
        String(decoding: bytes[Int(offsets[row])..<Int(offsets[row + 1])], as: UTF8.self)
    }

    mutating func append(_ id: String) {
        bytes.append(contentsOf: id.utf8)
        offsets.append(UInt64(bytes.count))
    }

    mutating func reserve(_ rows: Int) { offsets.reserveCapacity(rows + 1) }
}
