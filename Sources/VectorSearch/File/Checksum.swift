import CVectorKernels

/// CRC32C of bytes.
package enum Checksum {
    /// The checksum of bytes that follow others whose checksum is `earlier`.
    static func of(_ bytes: UnsafeRawBufferPointer, after earlier: UInt32 = 0) -> UInt32 {
        unsafe knot_crc32c(earlier, bytes.baseAddress, bytes.count)
    }

    /// Likewise of bytes that are lent.
    package static func of(_ bytes: Span<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe of($0, after: earlier) }
    }
}
