import CSigning

/// A private key of the curve P-256, which signs as ES256 does; nothing shows what it is.
@safe package final class SigningKey: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    // Proof of @unchecked Sendable: the key is never changed after `init`, and each signature has a context of its own.
    private let key: OpaquePointer

    /// Reads PKCS#8 as PEM, the form of Apple's `.p8`; nil where the text has no such key, or one behind a password.
    package init?(pem: String) {
        var text = pem
        // The bytes outlive the call, which reads as many as there are.
        let read = text.withUTF8 { bytes -> OpaquePointer? in
            guard let start = bytes.baseAddress else { return nil }
            return unsafe knot_read_p256_key(start, bytes.count)
        }
        guard let read = unsafe read else { return nil }
        unsafe key = read
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// The 64 bytes of r and s, as a JSON Web Signature has them; the same for the same message (RFC 6979).
    package func signature(of message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        let bytes = message.isEmpty ? [0] : message
        let done = unsafe bytes.withUnsafeBufferPointer { source in
            // Both outlive the call, which writes the 64 bytes there are.
            unsafe signature.withUnsafeMutableBufferPointer { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return Int32(0) }
                return unsafe knot_es256(key, source, message.count, target)
            }
        }
        precondition(done == 1, "libcrypto refused to sign")
        return signature
    }

    package var description: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
