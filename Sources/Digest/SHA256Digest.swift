import CCrypto

/// The 32 bytes of a SHA-256, comparable and printable.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// Always 32 bytes.
    package let bytes: [UInt8]

    /// Hashes bytes as they are.
    package init(of input: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        let done = unsafe input.withUnsafeBufferPointer { source in
            // Both buffers outlive the call; the digest has the 32 bytes the shim writes.
            unsafe digest.withUnsafeMutableBufferPointer { target in
                guard let start = target.baseAddress else { return Int32(0) }
                return unsafe knot_sha256(source.baseAddress, source.count, start)
            }
        }
        precondition(done == 1, "libcrypto refused to compute a SHA-256")
        bytes = digest
    }

    /// Hashes the UTF-8 of a text.
    package init(of text: String) {
        self.init(of: Array(text.utf8))
    }

    init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first eight bytes, big-endian: a seed or a short key, never an identity.
    package var prefix64: UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var description: String { hex }
}
