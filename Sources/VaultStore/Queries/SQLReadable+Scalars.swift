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
