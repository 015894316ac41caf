/// The cosines of every row with every column, row by row.
package struct SimilarityTable: Sendable, Equatable {
    package let rowCount: Int
    package let columnCount: Int
    package let values: [Float]

    package init(rowCount: Int, columnCount: Int, values: [Float]) {
        precondition(values.count == rowCount * columnCount, "a table needs one value for each row and column")
        self.rowCount = rowCount
        self.columnCount = columnCount
        self.values = values
    }

    package subscript(row: Int, column: Int) -> Float { values[row * columnCount + column] }
}
