/// Bytes as they are, for `bytea`.
package struct ByteString: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension ByteString: SQLArrayElement {
    package static var bindType: PostgresType { .bytea }
    package static var arrayType: PostgresType { .byteaArray }
    package var bind: SQLBind { SQLBind(.bytea, bytes) }
}

extension ByteString: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        try cell.expect(.bytea)
        bytes = Array(cell.bytes)
    }
}
