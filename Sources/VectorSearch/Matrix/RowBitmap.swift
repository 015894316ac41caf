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
