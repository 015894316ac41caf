import CSigning

/// A code that only whoever has the key can make or check.
package enum HMACSHA256 {
    /// The 32 bytes of RFC 2104 with SHA-256, for a key of any length.
    package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        // An empty array may have no address, and the function takes none for a key.
        let bytes = key.isEmpty ? [0] : key
        let done = unsafe bytes.withUnsafeBufferPointer { key in
            // All three outlive the call, which writes the 32 bytes there are.
            unsafe message.withUnsafeBufferPointer { message in
                unsafe code.withUnsafeMutableBufferPointer { code in
                    guard let key = key.baseAddress, let code = code.baseAddress else { return Int32(0) }
                    return unsafe knot_hmac_sha256(key, bytes.count, message.baseAddress, message.count, code)
                }
            }
        }
        precondition(done == 1, "libcrypto refused to compute an HMAC")
        return code
    }
}

/// Bytes as text that stands in a header or a token.
package enum ByteText {
    /// Lower-case hexadecimal digits.
    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The alphabet for URLs of RFC 4648, without padding.
    package static func base64URL(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for place in 0...group.count { text.append(letters[bits >> (18 - 6 * place) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
