import Digest
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

/// One record of a file of cached embeddings: what stands before its payload.
///
///     0     u32 mark; u32 kind: 1 the name of a model, 2 an embedding
///     8     u64 tag of the model: the first eight bytes of its name's SHA-256
///     16    32 bytes: SHA-256 of the text; zeros for a name
///     48    u32 bytes of the payload; u32 CRC32C of the payload; u32 zero
///     60    u32 CRC32C of the 60 bytes before it and the record's place as u64, so that no copy passes for a record
///     64    the payload: a name in UTF-8, or f32 numbers up to the last that is not zero; zeros up to a multiple of 8
struct EmbeddingCacheRecord: Equatable {
    enum Kind: UInt32 {
        case model = 1
        case embedding
    }

    static let headerBytes = 64
    /// A place where a record may begin is a multiple of this.
    static let alignment = 8
    static let mostNameBytes = 1_024
    private static let mark: UInt32 = 0x5243_4B89

    let kind: Kind
    let model: UInt64
    let text: TextDigest
    let payloadBytes: Int
    let payloadChecksum: UInt32

    /// All bytes of the record with its padding.
    var byteCount: Int {
        Self.headerBytes + (payloadBytes + Self.alignment - 1) / Self.alignment * Self.alignment
    }

    /// What records say instead of a model's name.
    static func tag(ofModel name: String) -> UInt64 { SHA256Digest(of: name).prefix64 }

    /// The record that begins at a place of a file, when one does; its payload is not looked at and may be missing.
    init?(at place: Int, of file: Span<UInt8>) {
        guard place + Self.headerBytes <= file.count, file.little32(at: place) == Self.mark else { return nil }
        let header = file.extracting(place..<place + Self.headerBytes)
        guard header.little32(at: 60) == Self.checksum(of: header.extracting(first: 60), at: place),
            let kind = Kind(rawValue: header.little32(at: 4))
        else { return nil }
        self.kind = kind
        model = header.little64(at: 8)
        text = TextDigest(
            header.little64(at: 16),
            header.little64(at: 24),
            header.little64(at: 32),
            header.little64(at: 40)
        )
        payloadBytes = Int(header.little32(at: 48))
        payloadChecksum = header.little32(at: 52)
        switch kind {
        case .model: guard (1...Self.mostNameBytes).contains(payloadBytes) else { return nil }
        case .embedding: guard payloadBytes <= Embedding.dimension * 4, payloadBytes % 4 == 0 else { return nil }
        }
    }

    /// Adds a model's name to bytes that will stand at `place`.
    static func add(model name: String, at place: Int, to bytes: inout [UInt8]) {
        add(.model, tag(ofModel: name), TextDigest(0, 0, 0, 0), Array(name.utf8), place, &bytes)
    }

    /// Adds an embedding to bytes that will stand at `place`; zeros at its end are left out.
    static func add(_ embedding: Embedding, model: UInt64, text: TextDigest, at place: Int, to bytes: inout [UInt8]) {
        // A negative zero is not left out: what is read is what was given, bit by bit.
        let count = embedding.values.lastIndex { $0.bitPattern != 0 }.map { $0 + 1 } ?? 0
        var payload: [UInt8] = []
        payload.reserveCapacity(4 * count)
        for value in embedding.values[..<count] { payload.add(little: value.bitPattern) }
        add(.embedding, model, text, payload, place, &bytes)
    }

    private static func add(
        _ kind: Kind,
        _ model: UInt64,
        _ text: TextDigest,
        _ payload: [UInt8],
        _ place: Int,
        _ bytes: inout [UInt8]
    ) {
        var record: [UInt8] = []
        record.reserveCapacity(headerBytes + payload.count + alignment)
        record.add(little: mark)
        record.add(little: kind.rawValue)
        record.add(little: model)
        for word in text.littleWords { record.add(little: word) }
        record.add(little: UInt32(payload.count))
        record.add(little: Checksum.of(payload.span))
        record.add(little: UInt32(0))
        record.add(little: checksum(of: record.span, at: place))
        record.append(contentsOf: payload)
        while record.count % alignment != 0 { record.append(0) }
        bytes.append(contentsOf: record)
    }

    private static func checksum(of header: Span<UInt8>, at place: Int) -> UInt32 {
        var end: [UInt8] = []
        end.add(little: UInt64(place))
        return Checksum.of(end.span, after: Checksum.of(header))
    }

    /// Whether the payload behind the record at `place` is the one that was written.
    func hasPayload(at place: Int, of file: Span<UInt8>) -> Bool {
        let start = place + Self.headerBytes
        guard start + payloadBytes <= file.count else { return false }
        return Checksum.of(file.extracting(start..<start + payloadBytes)) == payloadChecksum
    }

    /// The embedding behind the record at `place`, unless its bytes are not those that were written.
    func embedding(at place: Int, of file: Span<UInt8>, model name: String) -> Embedding? {
        guard kind == .embedding, hasPayload(at: place, of: file) else { return nil }
        var values = [Float](repeating: 0, count: Embedding.dimension)
        for index in 0..<payloadBytes / 4 {
            values[index] = Float(bitPattern: file.little32(at: place + Self.headerBytes + 4 * index))
        }
        return Embedding(values, model: name)
    }

    /// The name behind the record at `place`, unless its bytes are not those that were written.
    func name(at place: Int, of file: Span<UInt8>) -> String? {
        guard kind == .model, hasPayload(at: place, of: file) else { return nil }
        let start = place + Self.headerBytes
        let bytes = (start..<start + payloadBytes).map { file[$0] }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Adds a number's bytes, the lowest first.
    mutating func add<Number: FixedWidthInteger>(little number: Number) {
        for shift in Swift.stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

extension Span<UInt8> {
    func little32(at start: Int) -> UInt32 {
        UInt32(self[start]) | UInt32(self[start + 1]) << 8 | UInt32(self[start + 2]) << 16
            | UInt32(self[start + 3]) << 24
    }

    func little64(at start: Int) -> UInt64 {
        UInt64(little32(at: start)) | UInt64(little32(at: start + 4)) << 32
    }
}
