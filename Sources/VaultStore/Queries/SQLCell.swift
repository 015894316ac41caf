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
