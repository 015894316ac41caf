/// A `vector` of pgvector; as a bind it needs a place that tells its type, such as a column or `::vector`.
package struct PostgresVector: Sendable, Hashable {
    package let values: [Float]

    package init(_ values: [Float]) {
        self.values = values
    }
}

extension PostgresVector: SQLBindable {
    package static var bindType: PostgresType { .inferred }

    package var bind: SQLBind {
        guard let count = Int16(exactly: values.count) else { return SQLBind(.inferred, [], flaw: .outOfRange) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + values.count * 4)
        bytes.appendBigEndian(count)
        bytes.appendBigEndian(Int16(0))
        for value in values { bytes.appendBigEndian(value.bitPattern) }
        return SQLBind(.inferred, bytes)
    }
}

extension PostgresVector: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        guard cell.type.isOfExtension, cell.count >= 4 else { throw cell.mismatch() }
        let count = Int(cell.integer(Int16.self, at: 0))
        guard count >= 0 else { throw cell.mismatch() }
        try cell.expect(bytes: 4 + count * 4)
        values = cell.floats(count, at: 4)
    }
}
