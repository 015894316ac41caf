/// The binary form of one value on its way from the server.
package struct SQLCell: Sendable {
    /// The column it stands in, for errors.
    let column: String
    let type: PostgresType
    let bytes: ArraySlice<UInt8>

    var count: Int { bytes.count }

    func mismatch(_ detail: String? = nil) -> PostgresError {
        PostgresError(
            .unexpectedValue,
            at: "column \(column)",
            detail: detail ?? "it has not the type that was asked for (it is of type number \(type.oid))"
        )
    }

    func expect(_ types: PostgresType...) throws(PostgresError) {
        guard types.contains(type) else { throw mismatch() }
    }

    func expect(bytes count: Int) throws(PostgresError) {
        guard bytes.count == count else { throw mismatch("its binary form has a wrong length") }
    }

    /// A big-endian integer; the caller has checked that the bytes are there.
    func integer<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        var value: Number = 0
        let start = bytes.startIndex + offset
        for place in start..<start + Number.bitWidth / 8 {
            value = value << 8 | Number(truncatingIfNeeded: bytes[place])
        }
        return value
    }

    /// Big-endian floats after one another; the caller has checked that the bytes are there.
    func floats(_ count: Int, at offset: Int) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(count)
        var place = bytes.startIndex + offset
        for _ in 0..<count {
            let high = UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
            values.append(Float(bitPattern: high | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])))
            place += 4
        }
        return values
    }
}
