import Digest
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

    /// The file itself as the memory, whose pages all processes share; nil where it is not as it was written.
    func map(_ path: String) -> EncoderMemory? {
        let file: MappedFile
        do throws(EmbeddingFileError) {
            file = try MappedFile(path)
        } catch {
            // Usually there is none yet; whatever it is, the layers are packed anew.
            return nil
        }
        guard file.count == count + Self.endBytes else { return nil }
        file.prefetch(0..<file.count)
        let memory = EncoderMemory(file, count)
        let end = file.withBytes(count..<file.count) { bytes in bytes.indices.map { bytes[$0] } }
        return end == self.end(memory) ? memory : nil
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
}
