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
    package var bind: SQLBind {
        switch self {
        case .some(let value): value.bind
        case .none: SQLBind(Wrapped.bindType, nil)
        }
    }
}

extension Optional: SQLArrayElement where Wrapped: SQLArrayElement {
    package static var arrayType: PostgresType { Wrapped.arrayType }
}

extension Array: SQLBindable where Element: SQLArrayElement {
    package static var bindType: PostgresType { Element.arrayType }

    package var bind: SQLBind {
        var list = BoundList(of: Element.bindType, count: count)
        for element in self { list.append(element.bind) }
        return SQLBind(Self.bindType, list.bytes, flaw: list.flaw)
    }
}

/// A list's binary form while it is made: dimensions, whether there are nulls, element type; then length, lower bound;
/// then each element with its size.
///
/// It knows no type of elements, for other rooms run the code that does as it stands, made for no type in particular.
private struct BoundList {
    private(set) var bytes: [UInt8] = []
    private(set) var flaw: SQLBind.Flaw?

    init(of type: PostgresType, count: Int) {
        bytes.reserveCapacity(20 + 12 * count)
        bytes.appendBigEndian(UInt32(count == 0 ? 0 : 1))
        bytes.appendBigEndian(UInt32(0))
        bytes.appendBigEndian(type.oid)
        guard count > 0 else { return }
        bytes.appendBigEndian(UInt32(count))
        bytes.appendBigEndian(UInt32(1))
    }

    mutating func append(_ element: SQLBind) {
        if flaw == nil { flaw = element.flaw }
        guard let value = element.bytes else {
            // The last byte of the second number.
            bytes[7] = 1
            return bytes.appendBigEndian(UInt32.max)
        }
        bytes.appendBigEndian(UInt32(value.count))
        bytes += value
    }
}

extension [UInt8] {
    /// Appends an integer as the network orders it.
    package mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        // The bytes are the number's own, alive for the call.
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }
}

extension Bool: SQLArrayElement {
    package static var bindType: PostgresType { .bool }
    package static var arrayType: PostgresType { .boolArray }
    package var bind: SQLBind { SQLBind(.bool, [self ? 1 : 0]) }
}

extension Int: SQLArrayElement {
    package static var bindType: PostgresType { .int8 }
    package static var arrayType: PostgresType { .int8Array }
    package var bind: SQLBind { Int64(self).bind }
}

extension Int64: SQLArrayElement {
    package static var bindType: PostgresType { .int8 }
    package static var arrayType: PostgresType { .int8Array }
    package var bind: SQLBind { SQLBind(.int8, .bigEndian(self)) }
}

extension Int32: SQLArrayElement {
    package static var bindType: PostgresType { .int4 }
    package static var arrayType: PostgresType { .int4Array }
    package var bind: SQLBind { SQLBind(.int4, .bigEndian(self)) }
}

extension Int16: SQLArrayElement {
    package static var bindType: PostgresType { .int2 }
    package static var arrayType: PostgresType { .int2Array }
    package var bind: SQLBind { SQLBind(.int2, .bigEndian(self)) }
}

extension Float: SQLArrayElement {
    package static var bindType: PostgresType { .float4 }
    package static var arrayType: PostgresType { .float4Array }
    package var bind: SQLBind { SQLBind(.float4, .bigEndian(bitPattern)) }
}

extension Double: SQLArrayElement {
    package static var bindType: PostgresType { .float8 }
    package static var arrayType: PostgresType { .float8Array }
    package var bind: SQLBind { SQLBind(.float8, .bigEndian(bitPattern)) }
}

extension String: SQLArrayElement {
    package static var bindType: PostgresType { .text }
    package static var arrayType: PostgresType { .textArray }

    package var bind: SQLBind {
        let bytes = Array(utf8)
        return SQLBind(.text, bytes, flaw: bytes.contains(0) ? .zeroInText : nil)
    }
}

extension [UInt8] {
    package static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Number.bitWidth / 8)
        bytes.appendBigEndian(number)
        return bytes
    }
}

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

/// The server's own number of a type; the built-in ones never change.
package struct PostgresType: Sendable, Hashable {
    package let oid: UInt32

    /// Lets the server find the type from where the value stands.
    package static let inferred = PostgresType(oid: 0)
    package static let bool = PostgresType(oid: 16)
    package static let bytea = PostgresType(oid: 17)
    package static let name = PostgresType(oid: 19)
    package static let int8 = PostgresType(oid: 20)
    package static let int2 = PostgresType(oid: 21)
    package static let int4 = PostgresType(oid: 23)
    package static let text = PostgresType(oid: 25)
    package static let oid = PostgresType(oid: 26)
    package static let json = PostgresType(oid: 114)
    package static let float4 = PostgresType(oid: 700)
    package static let float8 = PostgresType(oid: 701)
    package static let unknown = PostgresType(oid: 705)
    package static let boolArray = PostgresType(oid: 1_000)
    package static let byteaArray = PostgresType(oid: 1_001)
    package static let int2Array = PostgresType(oid: 1_005)
    package static let int4Array = PostgresType(oid: 1_007)
    package static let textArray = PostgresType(oid: 1_009)
    package static let int8Array = PostgresType(oid: 1_016)
    package static let float4Array = PostgresType(oid: 1_021)
    package static let float8Array = PostgresType(oid: 1_022)
    package static let bpchar = PostgresType(oid: 1_042)
    package static let varchar = PostgresType(oid: 1_043)
    package static let date = PostgresType(oid: 1_082)
    package static let timestamptz = PostgresType(oid: 1_184)
    package static let dateArray = PostgresType(oid: 1_182)
    package static let timestamptzArray = PostgresType(oid: 1_185)
    package static let uuid = PostgresType(oid: 2_950)
    package static let uuidArray = PostgresType(oid: 2_951)
    package static let jsonb = PostgresType(oid: 3_802)
    package static let jsonbArray = PostgresType(oid: 3_807)

    /// True for types that extensions bring, such as `vector`: their numbers differ from server to server.
    var isOfExtension: Bool { oid >= 16_384 }
}
