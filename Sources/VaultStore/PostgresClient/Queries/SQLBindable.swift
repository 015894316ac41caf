/// A type whose values can stand in a query as binds.
package protocol SQLBindable: Sendable {
    static var bindType: PostgresType { get }
    var bind: SQLBind { get }
}

/// A type whose lists can stand in a query as one bind.
package protocol SQLArrayElement: SQLBindable {
    static var arrayType: PostgresType { get }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    package static var bindType: PostgresType { Wrapped.bindType }
    package var bind: SQLBind { self?.bind ?? SQLBind(Wrapped.bindType, nil) }
}

extension Optional: SQLArrayElement where Wrapped: SQLArrayElement {
    package static var arrayType: PostgresType { Wrapped.arrayType }
}

extension Array: SQLBindable where Element: SQLArrayElement {
    package static var bindType: PostgresType { Element.arrayType }

    package var bind: SQLBind {
        // Dimensions, whether there are nulls, element type; then length, lower bound; then each with its size.
        let binds = map(\.bind)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + binds.reduce(0) { $0 + 4 + ($1.bytes?.count ?? 0) })
        bytes.appendBigEndian(UInt32(isEmpty ? 0 : 1))
        bytes.appendBigEndian(UInt32(binds.contains { $0.bytes == nil } ? 1 : 0))
        bytes.appendBigEndian(Element.bindType.oid)
        if !isEmpty {
            bytes.appendBigEndian(UInt32(count))
            bytes.appendBigEndian(UInt32(1))
        }
        for bind in binds {
            if let value = bind.bytes {
                bytes.appendBigEndian(UInt32(value.count))
                bytes += value
            } else {
                bytes.appendBigEndian(UInt32.max)
            }
        }
        let flaw = binds.lazy.compactMap(\.flaw).first
        return SQLBind(Self.bindType, bytes, flaw: flaw)
    }
}

extension [UInt8] {
    /// Appends an integer as the network orders it.
    mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        // The bytes are the number's own, alive for the call.
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }
}
