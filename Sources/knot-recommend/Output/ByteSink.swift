import Synchronization

/// Where output goes: a descriptor of the process, or memory in a test.
protocol ByteSink: Sendable {
    /// Writes all bytes or throws; a reader that went away is `CommandError.readerLeft`.
    func write(_ bytes: [UInt8]) throws(CommandError)
}

extension ByteSink {
    /// Writes the UTF-8 of a text.
    func write(_ text: String) throws(CommandError) {
        try write(Array(text.utf8))
    }
}

/// Keeps what is printed, for a file that is written when all of it is there.
final class CollectedBytes: ByteSink {
    private let kept = Mutex<[UInt8]>([])

    func write(_ bytes: [UInt8]) throws(CommandError) {
        kept.withLock { $0 += bytes }
    }

    var bytes: [UInt8] { kept.withLock { $0 } }
}
