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
        // Each element has at least its length.
        values.reserveCapacity(Swift.min(Swift.max(0, Int(count)), (cell.count - 20) / 4))
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

extension Bool: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        try cell.expect(.bool)
        try cell.expect(bytes: 1)
        self = cell.integer(UInt8.self, at: 0) != 0
    }
}

extension SQLReadable where Self: FixedWidthInteger {
    /// Takes every integer type of the server whose value fits.
    package init(_ cell: SQLCell) throws(PostgresError) {
        let value: Int64
        switch cell.type {
        case .int2:
            try cell.expect(bytes: 2)
            value = Int64(cell.integer(Int16.self, at: 0))
        case .int4:
            try cell.expect(bytes: 4)
            value = Int64(cell.integer(Int32.self, at: 0))
        case .int8:
            try cell.expect(bytes: 8)
            value = cell.integer(Int64.self, at: 0)
        case .oid:
            try cell.expect(bytes: 4)
            value = Int64(cell.integer(UInt32.self, at: 0))
        default: throw cell.mismatch()
        }
        guard let fitting = Self(exactly: value) else { throw cell.mismatch("its value is out of range") }
        self = fitting
    }
}

extension Int: SQLReadable {}
extension Int64: SQLReadable {}
extension Int32: SQLReadable {}
extension Int16: SQLReadable {}

extension Float: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        try cell.expect(.float4)
        try cell.expect(bytes: 4)
        self = Float(bitPattern: cell.integer(UInt32.self, at: 0))
    }
}

extension Double: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        switch cell.type {
        case .float4: self = Double(try Float(cell))
        case .float8:
            try cell.expect(bytes: 8)
            self = Double(bitPattern: cell.integer(UInt64.self, at: 0))
        default: throw cell.mismatch()
        }
    }
}

extension String: SQLReadable {
    package init(_ cell: SQLCell) throws(PostgresError) {
        switch cell.type {
        case .text, .varchar, .bpchar, .name, .unknown, .json: self = String(decoding: cell.bytes, as: UTF8.self)
        default: throw cell.mismatch()
        }
    }
}

/// The binary form of one value on its way from the server.
package struct SQLCell: Sendable {
    /// The column it stands in, for errors.
    package let column: String
    package let type: PostgresType
    package let bytes: ArraySlice<UInt8>

    package var count: Int { bytes.count }

    package func mismatch(_ detail: String? = nil) -> PostgresError {
        PostgresError(
            .unexpectedValue,
            at: "column \(column)",
            detail: detail ?? "it has not the type that was asked for (it is of type number \(type.oid))"
        )
    }

    package func expect(_ types: PostgresType...) throws(PostgresError) {
        guard types.contains(type) else { throw mismatch() }
    }

    package func expect(bytes count: Int) throws(PostgresError) {
        guard bytes.count == count else { throw mismatch("its binary form has a wrong length") }
    }

    /// A big-endian integer; the caller has checked that the bytes are there.
    package func integer<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        var value: Number = 0
        let start = bytes.startIndex + offset
        for place in start..<start + Number.bitWidth / 8 {
            value = value << 8 | Number(truncatingIfNeeded: bytes[place])
        }
        return value
    }

    /// Big-endian floats after one another; the caller has checked that the bytes are there.
    func floats(_ count: Int, at offset: Int) -> [Float] {
        precondition(count >= 0 && bytes.count >= offset + 4 * count, "the floats are not all there")
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe [Float](unsafeUninitializedCapacity: count) { values, filled in
                // Every place lies inside the cell, which the precondition has seen to.
                for place in 0..<count {
                    let bits = unsafe bytes.loadUnaligned(fromByteOffset: offset + 4 * place, as: UInt32.self)
                    unsafe values.initializeElement(at: place, to: Float(bitPattern: UInt32(bigEndian: bits)))
                }
                filled = count
            }
        }
    }
}
