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
        var bytes: [UInt8] = []
        var flaw: SQLBind.Flaw?
        var hasNull = false
        var body: [UInt8] = []
        for element in self {
            let bind = element.bind
            flaw = flaw ?? bind.flaw
            if let value = bind.bytes {
                body.appendBigEndian(UInt32(value.count))
                body += value
            } else {
                hasNull = true
                body.appendBigEndian(UInt32.max)
            }
        }
        bytes.appendBigEndian(UInt32(isEmpty ? 0 : 1))
        bytes.appendBigEndian(UInt32(hasNull ? 1 : 0))
        bytes.appendBigEndian(Element.bindType.oid)
        if !isEmpty {
            bytes.appendBigEndian(UInt32(count))
            bytes.appendBigEndian(UInt32(1))
            bytes += body
        }
        return SQLBind(Self.bindType, bytes, flaw: flaw)
    }
}

extension [UInt8] {
    /// Appends an integer as the network orders it.
    mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        var shift = Number.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}
