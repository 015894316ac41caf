/// What the header of a file of embeddings says: what there is and where it is.
///
/// The format, version 1; all numbers little-endian:
///
///     0     magic: 89 "KNT" 0D 0A 1A 0A, so that a transfer as text is noticed
///     8     u32 version; u32 bytes of the header (4,096)
///     16    u64 bytes of the file
///     24    u64 rows
///     32    u32 numbers of a row; u32 numbers from row to row; u32 bytes from one row's codes to the next, 0 for no codes
///     44    u32 rows of a block; u32 sections; u32 bytes of the model's name
///     56    the sections, 24 bytes each: u32 kind, u32 CRC32C or 0, u64 offset, u64 bytes; then the model's name in UTF-8
///     4092  u32 CRC32C of the header before it
///
/// Sections begin at multiples of 64 bytes and do not overlap. Ids are one piece of UTF-8 and u64 offsets into it, one
/// more than rows. Lengths are f64, rows f32 with zeros behind each, codes, scales and errors as the kernels keep them.
/// Rows have one CRC32C for each block of rows; codes have one over a block's byte codes, scales and errors and, where there
/// are any, codes of half a byte, their scales and errors, in this order.
struct EmbeddingFileLayout: Sendable, Equatable {
    static let headerBytes = 4_096
    static let magic: [UInt8] = [0x89, 0x4B, 0x4E, 0x54, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 1
    static let sectionsStart = 56
    static let sectionBytes = 24
    /// Three megabytes of the usual rows: large enough for few checksums, small enough for a search of few rows.
    static let usualBlockRows = 1_024

    let model: String
    let dimension: Int
    let stride: Int
    let count: Int
    /// 0 for no codes.
    let codeStride: Int
    let blockRows: Int
    var sections: [EmbeddingFileSection]
    let fileByteCount: Int

    var hasCodes: Bool { codeStride > 0 }

    var hasNibbles: Bool { sections.contains { $0.kind.belongsToNibbles } }

    /// What the checksums of the codes are over.
    var codedKinds: [EmbeddingFileSection.Kind] {
        EmbeddingFileSection.Kind.allCases.filter { $0.isCoded && (hasNibbles || !$0.belongsToNibbles) }
    }

    /// The sections of a file, in their order; codes of half a byte only stand beside byte codes.
    static func kinds(hasCodes: Bool, hasNibbles: Bool) -> [EmbeddingFileSection.Kind] {
        EmbeddingFileSection.Kind.allCases.filter {
            (hasCodes || !$0.belongsToCodes) && (hasCodes && hasNibbles || !$0.belongsToNibbles)
        }
    }

    var blockCount: Int { (count + blockRows - 1) / blockRows }

    /// Lays out a file that is to be written; checksums are filled in later.
    init(model: String, dimension: Int, count: Int, idByteCount: Int, hasCodes: Bool, hasNibbles: Bool) {
        self.model = model
        self.dimension = dimension
        self.count = count
        stride = EmbeddingMatrix.stride(for: dimension)
        codeStride = hasCodes ? RowCodes.stride(for: dimension) : 0
        blockRows = Self.usualBlockRows
        sections = []
        var end = Self.headerBytes
        for kind in Self.kinds(hasCodes: hasCodes, hasNibbles: hasNibbles) {
            let offset = (end + kind.alignment - 1) / kind.alignment * kind.alignment
            let bytes = Self.byteCount(
                of: kind,
                count: count,
                stride: stride,
                codeStride: codeStride,
                blockRows: blockRows
            )
            sections.append(EmbeddingFileSection(kind: kind, offset: offset, byteCount: bytes ?? idByteCount))
            end = offset + (bytes ?? idByteCount)
        }
        fileByteCount = end
    }

    init(
        model: String,
        dimension: Int,
        stride: Int,
        count: Int,
        codeStride: Int,
        blockRows: Int,
        sections: [EmbeddingFileSection],
        fileByteCount: Int
    ) {
        self.model = model
        self.dimension = dimension
        self.stride = stride
        self.count = count
        self.codeStride = codeStride
        self.blockRows = blockRows
        self.sections = sections
        self.fileByteCount = fileByteCount
    }

    /// The section of that kind; sections of codes exist only with codes.
    subscript(kind: EmbeddingFileSection.Kind) -> EmbeddingFileSection {
        guard let section = sections.first(where: { $0.kind == kind }) else {
            preconditionFailure("a layout lacks \(kind.name)")
        }
        return section
    }

    /// How long a section must be; nil for ids, which are as long as they are.
    ///
    /// Counts of 32 bits keep the products far below 2⁶³.
    static func byteCount(
        of kind: EmbeddingFileSection.Kind,
        count: Int,
        stride: Int,
        codeStride: Int,
        blockRows: Int
    ) -> Int? {
        switch kind {
        case .ids: nil
        case .idOffsets: (count + 1) * 8
        case .norms: count * 8
        case .rows: count * stride * 4
        case .codes: count * codeStride
        case .nibbles: count * RowNibbles.stride(for: codeStride)
        case .scales, .reaches, .nibbleScales, .nibbleReaches: count * 4
        case .rowChecksums, .codeChecksums: (count + blockRows - 1) / blockRows * 4
        }
    }

    func blocks(of rows: Range<Int>) -> Range<Int> {
        guard let last = rows.last else { return 0..<0 }
        return rows.lowerBound / blockRows..<last / blockRows + 1
    }

    func rows(ofBlock block: Int) -> Range<Int> { block * blockRows..<min(count, (block + 1) * blockRows) }
}

extension EmbeddingFileLayout {
    /// The most bytes of a model's name that fit the header beside all sections.
    static let mostModelBytes =
        headerBytes - 4 - sectionsStart - EmbeddingFileSection.Kind.allCases.count * sectionBytes

    /// The header as it stands at the beginning of the file.
    var bytes: [UInt8] {
        var bytes = Self.magic
        bytes.append(little: Self.version)
        bytes.append(little: UInt32(Self.headerBytes))
        bytes.append(little: UInt64(fileByteCount))
        bytes.append(little: UInt64(count))
        for number in [dimension, stride, codeStride, blockRows, sections.count, model.utf8.count] {
            bytes.append(little: UInt32(number))
        }
        for section in sections {
            bytes.append(little: section.kind.rawValue)
            bytes.append(little: section.checksum)
            bytes.append(little: UInt64(section.offset))
            bytes.append(little: UInt64(section.byteCount))
        }
        bytes.append(contentsOf: model.utf8)
        bytes.append(contentsOf: repeatElement(0, count: Self.headerBytes - 4 - bytes.count))
        bytes.append(little: Checksum.of(bytes.span))
        return bytes
    }

    /// Reads the header of a file of that length and believes nothing that does not add up.
    init(header bytes: [UInt8], actualByteCount: Int, path: String) throws(EmbeddingFileError) {
        func fail(_ code: EmbeddingFileError.Code, _ detail: String) -> EmbeddingFileError {
            EmbeddingFileError(code, path, detail)
        }
        guard bytes.starts(with: Self.magic) else {
            throw bytes.isEmpty ? fail(.cut, "it is empty") : fail(.foreign, "it begins with other bytes")
        }
        guard bytes.count >= Self.headerBytes else {
            throw fail(.cut, "it ends within its header, after \(bytes.count) bytes")
        }
        let version = bytes.uint32(at: 8)
        guard version <= Self.version else {
            throw fail(
                .newer,
                "it has version \(version) of the format, and \(Self.version) is the last one known here"
            )
        }
        guard bytes.uint32(at: Self.headerBytes - 4) == Checksum.of(bytes.span.extracting(first: Self.headerBytes - 4))
        else { throw fail(.damaged, "the header's checksum does not fit it") }
        guard version == Self.version, bytes.uint32(at: 12) == UInt32(Self.headerBytes) else {
            throw fail(.senseless, "the header has a version or a length that never was")
        }
        let fileByteCount = bytes.uint64(at: 16)
        guard fileByteCount == UInt64(actualByteCount) else {
            throw fail(.cut, "it has \(actualByteCount) bytes instead of \(fileByteCount)")
        }
        let count = bytes.uint64(at: 24)
        let numbers = Swift.stride(from: 32, to: Self.sectionsStart, by: 4).map { Int(bytes.uint32(at: $0)) }
        let (dimension, stride, codeStride, blockRows) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard count <= UInt64(EmbeddingMatrix.mostRows) else { throw fail(.senseless, "it claims \(count) rows") }
        guard (1...EmbeddingMatrix.mostDimensions).contains(dimension),
            stride == EmbeddingMatrix.stride(for: dimension),
            codeStride == 0 || codeStride == RowCodes.stride(for: dimension)
        else {
            throw fail(.senseless, "it claims rows of \(dimension) numbers, \(stride) apart, codes \(codeStride) apart")
        }
        guard (1...1 << 24).contains(blockRows) else { throw fail(.senseless, "it claims blocks of \(blockRows) rows") }
        let sections = try Self.sections(of: bytes, count: numbers[4], fileByteCount: actualByteCount, path: path)
        let hasNibbles = sections.contains { $0.kind.belongsToNibbles }
        let kinds = Self.kinds(hasCodes: codeStride > 0, hasNibbles: hasNibbles)
        guard sections.map(\.kind).sorted(by: { $0.rawValue < $1.rawValue }) == kinds else {
            throw fail(.senseless, "the header lacks a section or lists one it should not")
        }
        for section in sections {
            let expected = Self.byteCount(
                of: section.kind,
                count: Int(count),
                stride: stride,
                codeStride: codeStride,
                blockRows: blockRows
            )
            guard expected == nil || expected == section.byteCount else {
                throw fail(.senseless, "\(section.kind.name) take \(section.byteCount) bytes for \(count) rows")
            }
        }
        let nameStart = Self.sectionsStart + sections.count * Self.sectionBytes
        guard numbers[5] <= Self.headerBytes - 4 - nameStart,
            let model = String(validating: bytes[nameStart..<nameStart + numbers[5]], as: UTF8.self)
        else { throw fail(.senseless, "the model's name is too long or not UTF-8") }
        self.init(
            model: model,
            dimension: dimension,
            stride: stride,
            count: Int(count),
            codeStride: codeStride,
            blockRows: blockRows,
            sections: sections,
            fileByteCount: actualByteCount
        )
    }

    /// The table of sections, each within the file and none over another.
    private static func sections(
        of bytes: [UInt8],
        count: Int,
        fileByteCount: Int,
        path: String
    ) throws(EmbeddingFileError) -> [EmbeddingFileSection] {
        guard count <= EmbeddingFileSection.Kind.allCases.count else {
            throw EmbeddingFileError(.senseless, path, "the header claims \(count) sections")
        }
        var sections: [EmbeddingFileSection] = []
        for index in 0..<count {
            let start = sectionsStart + index * sectionBytes
            let (offset, length) = (bytes.uint64(at: start + 8), bytes.uint64(at: start + 16))
            let (end, overflow) = offset.addingReportingOverflow(length)
            guard let kind = EmbeddingFileSection.Kind(rawValue: bytes.uint32(at: start)) else {
                throw EmbeddingFileError(.senseless, path, "section \(index) is of no known kind")
            }
            guard offset >= UInt64(headerBytes), offset % 64 == 0, !overflow, end <= UInt64(fileByteCount) else {
                throw EmbeddingFileError(.senseless, path, "\(kind.name) lie outside the file or askew")
            }
            sections.append(
                EmbeddingFileSection(
                    kind: kind,
                    offset: Int(offset),
                    byteCount: Int(length),
                    checksum: bytes.uint32(at: start + 4)
                )
            )
        }
        let ordered = sections.filter { $0.byteCount > 0 }.sorted { $0.offset < $1.offset }
        for (section, next) in zip(ordered, ordered.dropFirst()) where section.range.upperBound > next.offset {
            throw EmbeddingFileError(.senseless, path, "\(section.kind.name) and \(next.kind.name) overlap")
        }
        return sections
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(little number: Number) {
        for byte in 0..<MemoryLayout<Number>.size { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }

    fileprivate func uint64(at start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(self[start + $1]) << (8 * $1) }
    }

    fileprivate func uint32(at start: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(self[start + $1]) << (8 * $1) }
    }
}
