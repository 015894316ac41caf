import Glibc
import Synchronization

/// Spans as lines of a file, one document each: several processes may append to one, and whoever is killed leaves whole lines.
package final class SpanFile: SpanCarrier {
    /// Why a file cannot be written to.
    package struct Refusal: Error, Sendable, Equatable {
        /// As it stands in a sentence about the file.
        package let reason: String
    }

    private let descriptor: Int32
    /// Whether the last line was cut short, as by a disk that is full.
    private let isTorn: Mutex<Bool>

    /// Opens or makes a file that only its owner may read.
    package init(_ path: String) throws(Refusal) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let opened = unsafe open(path, flags, 0o600)
        guard opened >= 0 else { throw Refusal(reason: unsafe String(cString: strerror(errno))) }
        var status = stat()
        // The structure outlives the call, which fills it.
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw Refusal(reason: "it is no file")
        }
        descriptor = opened
        isTorn = Mutex(status.st_size > 0 && !Self.endsWithLine(path, size: status.st_size))
    }

    deinit { close(descriptor) }

    package func carry(_ document: [UInt8], spans: Int, by deadline: ContinuousClock.Instant) async -> Int {
        isTorn.withLock { isTorn in
            // One write, so that lines of several processes do not mix; a torn line before it is ended first.
            let line = (isTorn ? [0x0A] : []) + document + [0x0A]
            var written: Int
            repeat {
                // The buffer outlives the call.
                written = unsafe line.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            } while written < 0 && errno == EINTR
            if written == line.count {
                isTorn = false
                return 0
            }
            if written > 0 { isTorn = true }
            return spans
        }
    }

    private static func endsWithLine(_ path: String, size: Int) -> Bool {
        let reader = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard reader >= 0 else { return false }
        defer { close(reader) }
        var byte: UInt8 = 0
        // The byte outlives the call, which reads at most it.
        return unsafe pread(reader, &byte, 1, size - 1) == 1 && byte == 0x0A
    }
}
