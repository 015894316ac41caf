import Digest
import Glibc
import VectorSearch

/// A model's layers as these kernels have them in memory, kept so that a start need not pack them again.
///
/// Packing reads four times the bytes and rounds each of them, which took a tenth of the time of a run of one vault. What is
/// kept is taken only where its length, its identity and its checksum are right; else the layers are packed anew.
struct PackedWeights {
    /// What the numbers in memory depend on, besides the weights: raise it with every change of `encoder_pack.c`.
    private static let layout = 1

    /// The digest of everything that decides a bit of them.
    private let digest: SHA256Digest
    /// The same as text, to find them by.
    var identity: String { digest.hex }
    /// How many bytes they take in memory.
    let count: Int

    init(_ weights: SHA256Digest, _ settings: ModelSettings, kernels: String, precision: EncoderPrecision, count: Int) {
        let shape = "\(settings.hidden)/\(settings.heads)/\(settings.intermediate)/\(settings.layers)"
        let text = "\(weights.hex)/\(kernels)/\(precision.rawValue)/\(shape)/\(count)/\(Self.layout)"
        digest = SHA256Digest(of: text)
        self.count = count
    }

    /// Reads them into memory; false where the file is not as it was written, and the memory is then to be filled anew.
    func read(_ path: String, into memory: EncoderMemory) -> Bool {
        // Without waiting, so that a pipe of that name is refused and does not stop us.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) == count + Self.endBytes, memory.count >= count
        else { return false }
        var end = [UInt8](repeating: 0, count: Self.endBytes)
        // The memory has room for `count` bytes, and the list for as many as are read into it.
        guard unsafe Self.fill(memory.start, count, from: descriptor, at: 0),
            unsafe end.withUnsafeMutableBytes({ buffer in
                unsafe buffer.baseAddress.map {
                    unsafe Self.fill($0, buffer.count, from: descriptor, at: count)
                } ?? false
            })
        else { return false }
        return end == self.end(memory)
    }

    /// What is to be kept of memory that was packed: its bytes, and behind them what tells them.
    func contents(_ memory: EncoderMemory) -> [UInt8] {
        // The memory has at least so many bytes, all of them written.
        unsafe Array(UnsafeRawBufferPointer(start: memory.start, count: count)) + end(memory)
    }

    /// A SHA-256 and a checksum.
    private static let endBytes = 36

    /// The identity, and the checksum of the memory.
    private func end(_ memory: EncoderMemory) -> [UInt8] {
        let sum = unsafe Checksum.of(UnsafeRawBufferPointer(start: memory.start, count: count))
        return digest.bytes + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
    }

    /// Whether so many bytes could be read.
    private static func fill(
        _ memory: UnsafeMutableRawPointer,
        _ count: Int,
        from descriptor: Int32,
        at start: Int
    ) -> Bool {
        var done = 0
        while done < count {
            let read = unsafe pread(descriptor, memory + done, count - done, off_t(start + done))
            if read < 0 && errno == EINTR { continue }
            guard read > 0 else { return false }
            done += read
        }
        return true
    }
}
