extension [UInt8] {
    /// Adds a number's bytes, the lowest first.
    mutating func add<Number: FixedWidthInteger>(little number: Number) {
        for shift in Swift.stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

extension Span<UInt8> {
    func little32(at start: Int) -> UInt32 {
        UInt32(self[start]) | UInt32(self[start + 1]) << 8 | UInt32(self[start + 2]) << 16
            | UInt32(self[start + 3]) << 24
    }

    func little64(at start: Int) -> UInt64 {
        UInt64(little32(at: start)) | UInt64(little32(at: start + 4)) << 32
    }
}
