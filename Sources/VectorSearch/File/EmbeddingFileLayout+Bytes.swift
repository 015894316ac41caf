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
