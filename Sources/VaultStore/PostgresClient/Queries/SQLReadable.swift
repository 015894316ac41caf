/// A type that can be read from a column.
package protocol SQLReadable {
    init(_ cell: SQLCell) throws(PostgresError)
    /// What a null becomes: an error, unless the type is an optional.
    init(null column: String) throws(PostgresError)
}

extension SQLReadable {
    package init(null column: String) throws(PostgresError) {
        throw PostgresError(.unexpectedValue, at: "column \(column)", detail: "it is null")
    }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) { self = try Wrapped(cell) }
    package init(null column: String) throws(PostgresError) { self = nil }
}

extension Array: SQLReadable where Element: SQLReadable & SQLArrayElement {
    package init(_ cell: SQLCell) throws(PostgresError) {
        try cell.expect(Element.arrayType)
        let flawed = cell.mismatch("its binary form is no list of one dimension")
        guard cell.count >= 12 else { throw flawed }
        let dimensions = cell.integer(Int32.self, at: 0)
        let element = PostgresType(oid: cell.integer(UInt32.self, at: 8))
        if dimensions == 0 {
            self = []
            return
        }
        guard dimensions == 1, cell.count >= 20 else { throw flawed }
        let count = cell.integer(Int32.self, at: 12)
        var values: [Element] = []
        var offset = 20
        for _ in 0..<Swift.max(0, count) {
            guard cell.count >= offset + 4 else { throw flawed }
            let length = Int(cell.integer(Int32.self, at: offset))
            offset += 4
            guard length >= 0 else {
                values.append(try Element(null: cell.column))
                continue
            }
            guard cell.count >= offset + length else { throw flawed }
            let start = cell.bytes.startIndex + offset
            let bytes = cell.bytes[start..<start + length]
            values.append(try Element(SQLCell(column: cell.column, type: element, bytes: bytes)))
            offset += length
        }
        self = values
    }
}
