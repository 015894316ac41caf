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
    static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Number.bitWidth / 8)
        bytes.appendBigEndian(number)
        return bytes
    }
}
