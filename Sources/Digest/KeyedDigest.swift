import CCrypto

/// HMAC-SHA-256: a digest only the holder of the key can make.
package enum KeyedDigest {
    /// Authenticates bytes under a key.
    package static func authenticate(_ input: [UInt8], key: [UInt8]) -> SHA256Digest {
        var digest = [UInt8](repeating: 0, count: 32)
        let done = unsafe input.withUnsafeBufferPointer { source in
            unsafe key.withUnsafeBufferPointer { secret in
                // All three buffers outlive the call; the digest has the 32 bytes the shim writes.
                unsafe digest.withUnsafeMutableBufferPointer { target in
                    guard let start = target.baseAddress else { return Int32(0) }
                    return unsafe knot_hmac_sha256(
                        secret.baseAddress,
                        secret.count,
                        source.baseAddress,
                        source.count,
                        start
                    )
                }
            }
        }
        precondition(done == 1, "libcrypto refused to compute an HMAC")
        return SHA256Digest(unchecked: digest)
    }
}
