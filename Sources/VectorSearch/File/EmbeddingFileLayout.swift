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

    /// The blocks that hold these rows.
    func blocks(of rows: Range<Int>) -> Range<Int> {
        guard let last = rows.last else { return 0..<0 }
        return rows.lowerBound / blockRows..<last / blockRows + 1
    }

    /// The rows of a block.
    func rows(ofBlock block: Int) -> Range<Int> { block * blockRows..<min(count, (block + 1) * blockRows) }
}
