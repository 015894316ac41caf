/// The rows of one statement, in one piece of memory, and what the server says it did.
package struct Rows: Sendable {
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: PostgresType
        /// True for text instead of the binary form.
        let isText: Bool
    }

    package internal(set) var columns: [Column] = []
    package internal(set) var count = 0
    /// `INSERT 0 3`, `COMMIT`: what the server says it did.
    package internal(set) var tag = ""
    /// All cells after one another, row by row.
    var bytes: [UInt8] = []
    /// Where each cell begins, and its length; a null has the length -1.
    var starts: [Int] = []
    var lengths: [Int32] = []

    package var isEmpty: Bool { count == 0 }

    /// How many rows the statement inserted, updated, deleted or returned; nil when its tag has no number.
    package var affected: Int? { tag.split(separator: " ").last.flatMap { Int($0) } }

    package subscript(index: Int) -> Row {
        precondition(index >= 0 && index < count, "there is no such row")
        return Row(rows: self, index: index)
    }

    package var first: Row? { isEmpty ? nil : self[0] }

    /// The one row of a statement that returns exactly one.
    package func only() throws(PostgresError) -> Row {
        guard count == 1 else {
            throw PostgresError(.unexpectedValue, at: "a result", detail: "it has \(count) rows instead of one")
        }
        return self[0]
    }

    /// One value from each row, in order.
    package func map<Value>(_ body: (Row) throws(PostgresError) -> Value) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count { values.append(try body(self[index])) }
        return values
    }
}
