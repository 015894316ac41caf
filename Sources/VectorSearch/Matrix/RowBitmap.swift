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

    /// How many rows are in.
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
}
