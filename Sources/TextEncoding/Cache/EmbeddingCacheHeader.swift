import VectorSearch

/// How a file of cached embeddings begins.
///
/// The format, version 1; all numbers little-endian:
///
///     0     magic: 89 "KNC" 0D 0A 1A 0A, so that a transfer as text is noticed
///     8     u32 version; u32 bytes of this header (64)
///     16    u32 numbers of an embedding (768); 40 zeros
///     60    u32 CRC32C of the header before it
///     64    records, described by `EmbeddingCacheRecord`, one behind the other until the end of the file
///
/// Records are only ever added at the end, by one writer at a time that holds the system's lock on the file. A writer that
/// is killed leaves at most one record unfinished; the next one cuts it off.
enum EmbeddingCacheHeader {
    static let byteCount = 64
    private static let magic: [UInt8] = [0x89, 0x4B, 0x4E, 0x43, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let version: UInt32 = 1

    static let bytes: [UInt8] = {
        var bytes = magic
        bytes.add(little: version)
        bytes.add(little: UInt32(byteCount))
        bytes.add(little: UInt32(Embedding.dimension))
        bytes.append(contentsOf: repeatElement(0, count: byteCount - 4 - bytes.count))
        bytes.add(little: Checksum.of(bytes.span))
        return bytes
    }()

    /// Whether these bytes at the beginning of a file are a whole header; false for one that was never finished.
    static func isWhole(_ found: Span<UInt8>, path: String) throws(EmbeddingCacheError) -> Bool {
        func fail(_ code: EmbeddingCacheError.Code, _ detail: String) -> EmbeddingCacheError {
            EmbeddingCacheError(code, path, detail)
        }
        let count = min(found.count, byteCount)
        if count < byteCount {
            guard (0..<count).allSatisfy({ found[$0] == bytes[$0] }) else {
                throw fail(.foreign, "it begins with other bytes")
            }
            return false
        }
        guard magic.indices.allSatisfy({ found[$0] == magic[$0] }) else {
            throw fail(.foreign, "it begins with other bytes")
        }
        let version = found.little32(at: 8)
        guard version <= Self.version else {
            throw fail(
                .newer,
                "it has version \(version) of the format, and \(Self.version) is the last one known here"
            )
        }
        guard found.little32(at: byteCount - 4) == Checksum.of(found.extracting(first: byteCount - 4)) else {
            throw fail(.damaged, "the header's checksum does not fit it")
        }
        let dimension = found.little32(at: 16)
        guard dimension == Embedding.dimension else {
            throw fail(
                .otherDimension,
                "its embeddings have \(dimension) numbers, and here they have \(Embedding.dimension)"
            )
        }
        guard (0..<byteCount).allSatisfy({ found[$0] == bytes[$0] }) else {
            throw fail(.damaged, "the header says what no version of the format ever said")
        }
        return true
    }
}
