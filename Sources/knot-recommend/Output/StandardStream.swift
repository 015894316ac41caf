import Glibc

/// One of the process's own output descriptors, written whole, in order, without a buffer that could be lost.
struct StandardStream: ByteSink {
    let descriptor: Int32
    let name: String

    static let output = StandardStream(descriptor: 1, name: "standard output")
    static let diagnostics = StandardStream(descriptor: 2, name: "standard error")

    func write(_ bytes: [UInt8]) throws(CommandError) {
        if let fault = Self.writeAll(bytes, to: descriptor) {
            if fault.number == EPIPE { throw .readerLeft }
            let todo = fault.number == ENOSPC ? "free some space and run it again" : "check where the output goes"
            throw CommandError(.inputOutput, "writing failed: \(fault.message)", at: name, todo: todo)
        }
    }

    /// Writes until all is written; waits where the descriptor does not block.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> SystemFault? {
        unsafe bytes.withUnsafeBytes { buffer -> SystemFault? in
            var done = 0
            while done < buffer.count {
                // `done` never passes the buffer's count, and the buffer outlives the call.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    done += count
                    continue
                }
                let fault = SystemFault.last
                if fault.isInterruption { continue }
                guard fault.number == EAGAIN else { return fault }
                waitUntilWritable(descriptor)
            }
            return nil
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // One entry, alive for the call; a failure only means another turn of the loop.
        _ = unsafe poll(&entry, 1, 1_000)
    }
}
