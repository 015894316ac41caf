import CCrypto

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
