import Glibc

/// The text of an `errno`, as the system words it.
struct SystemFault: Sendable, Equatable {
    let number: Int32

    /// Takes the number that the call just before left behind.
    static var last: SystemFault { SystemFault(number: errno) }

    var isInterruption: Bool { number == EINTR }

    var message: String {
        var buffer = [CChar](repeating: 0, count: 128)
        let capacity = buffer.count
        // The buffer outlives the call, which writes at most its capacity with a closing zero.
        let failed = unsafe buffer.withUnsafeMutableBufferPointer { target -> Int32 in
            guard let start = target.baseAddress else { return -1 }
            return unsafe strerror_r(number, start, capacity)
        }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return failed == 0 ? String(decoding: bytes, as: UTF8.self).lowercased() : "error \(number)"
    }
}
