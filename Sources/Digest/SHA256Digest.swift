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

    /// Hashes bytes where they are, such as a whole mapped file.
    @unsafe package init(of input: UnsafeRawBufferPointer) {
        var digest = [UInt8](repeating: 0, count: 32)
        // The caller keeps the input; the digest has the 32 bytes the shim writes.
        let done = unsafe digest.withUnsafeMutableBufferPointer { target in
            guard let start = target.baseAddress else { return Int32(0) }
            return unsafe knot_sha256(input.assumingMemoryBound(to: UInt8.self).baseAddress, input.count, start)
        }
        precondition(done == 1, "libcrypto refused to compute a SHA-256")
        bytes = digest
    }

    /// A digest that was made before; nil for other than 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads what `hex` writes; nil for any other text.
    package init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for place in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(of: digits[place]), let low = Self.value(of: digits[place + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }

    /// Hashes the UTF-8 of a text.
    package init(of text: String) {
        self.init(of: Array(text.utf8))
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

/// Bytes nobody can guess, from libcrypto's generator.
package enum RandomBytes {
    /// Returns `count` fresh bytes; stops the process if the system's source fails, since no safe answer is left.
    package static func make(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a negative number of random bytes was asked for")
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let done = unsafe bytes.withUnsafeMutableBufferPointer { target in
            // The buffer has exactly the `count` bytes that are written.
            guard let start = target.baseAddress else { return Int32(0) }
            return unsafe knot_random_bytes(start, target.count)
        }
        precondition(done == 1, "the system's random source failed")
        return bytes
    }
}
