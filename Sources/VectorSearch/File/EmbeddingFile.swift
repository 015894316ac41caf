import CVectorKernels

/// A file of embeddings, mapped and used in place.
///
/// Opening it verifies the header, the ids, the lengths and the checksums of the blocks; each block of rows is verified at
/// its first use, or all of them by `verify`. Checksums find what happened to a file, not what was forged; whatever a file
/// says, no read leaves it.
final class EmbeddingFile: Sendable {
    let path: String
    let layout: EmbeddingFileLayout
    private let map: MappedFile
    private let verifiedRows: VerifiedBlocks
    private let verifiedCodes: VerifiedBlocks

    init(path: String) throws(EmbeddingFileError) {
        let map = try MappedFile(path)
        let header = unsafe [UInt8](map.bytes(0..<min(map.count, EmbeddingFileLayout.headerBytes)))
        let layout = try EmbeddingFileLayout(header: header, actualByteCount: map.count, path: path)
        self.path = path
        self.layout = layout
        self.map = map
        verifiedRows = VerifiedBlocks(count: layout.blockCount)
        verifiedCodes = VerifiedBlocks(count: layout.hasCodes ? layout.blockCount : 0)
        for section in layout.sections where section.kind.isWhole {
            map.prefetch(section.range)
            guard unsafe Checksum.of(map.bytes(section.range)) == section.checksum else {
                throw EmbeddingFileError(.damaged, path, "the checksum of \(section.kind.name) does not fit them")
            }
        }
        try checkIDs()
        guard withNorms({ norms in norms.indices.allSatisfy { norms[$0] >= 0 && norms[$0].isFinite } }) else {
            throw EmbeddingFileError(.senseless, path, "a row has a length that no row can have")
        }
    }

    /// The numbers of a section; its place is a multiple of 64 and its length was checked when the file was opened.
    @unsafe private func numbers<Number: BitwiseCopyable>(
        _ kind: EmbeddingFileSection.Kind,
        as type: Number.Type = Number.self
    ) -> UnsafeBufferPointer<Number> {
        unsafe map.bytes(layout[kind].range).assumingMemoryBound(to: Number.self)
    }

    private func checkIDs() throws(EmbeddingFileError) {
        let offsets: UnsafeBufferPointer<UInt64> = unsafe numbers(.idOffsets)
        let bytes: UnsafeBufferPointer<UInt8> = unsafe numbers(.ids)
        var isFine = unsafe offsets[0] == 0 && offsets[layout.count] == UInt64(bytes.count)
        for row in 0..<layout.count where isFine {
            // A row's id begins where a character does; ordered offsets that end at the last byte stay within the ids.
            let (start, end) = unsafe (offsets[row], offsets[row + 1])
            isFine =
                unsafe start <= end && (start == bytes.count || start < bytes.count && bytes[Int(start)] & 0xC0 != 0x80)
        }
        guard isFine else { throw EmbeddingFileError(.senseless, path, "the places of the ids contradict each other") }
        do {
            _ = try unsafe UTF8Span(validating: bytes.span)
        } catch {
            throw EmbeddingFileError(.senseless, path, "the ids are not UTF-8")
        }
    }

    func id(ofRow row: Int) -> String {
        precondition(row >= 0 && row < layout.count, "no such row")
        let offsets: UnsafeBufferPointer<UInt64> = unsafe numbers(.idOffsets)
        let bytes: UnsafeBufferPointer<UInt8> = unsafe numbers(.ids)
        let (start, end) = unsafe (offsets[row], offsets[row + 1])
        // So it was when the file was opened; someone may have written into it since.
        precondition(start <= end && end <= UInt64(bytes.count), "a file of embeddings was changed while in use")
        return unsafe String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
    }

    var packedIDs: PackedIDs {
        unsafe PackedIDs(bytes: Array(numbers(.ids)), offsets: Array(numbers(.idOffsets)))
    }

    func withNorms<Result>(_ body: (Span<Double>) -> Result) -> Result {
        let norms: UnsafeBufferPointer<Double> = unsafe numbers(.norms)
        return withExtendedLifetime(map) { unsafe body(norms.span) }
    }

    /// Lends the rows, verified or not, for the duration of `body`.
    func withRows<Result, Failure: Error>(
        _ body: (knot_rows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let values: UnsafeBufferPointer<Float> = unsafe numbers(.rows)
        let norms: UnsafeBufferPointer<Double> = unsafe numbers(.norms)
        // A section without bytes has an address as well: the mapping begins with a header.
        guard let firstValue = values.baseAddress, let firstNorm = norms.baseAddress else {
            preconditionFailure("an opened file has no header")
        }
        let rows = unsafe knot_rows(
            values: firstValue,
            stride: layout.stride,
            count: UInt32(layout.count),
            dimension: UInt32(layout.dimension),
            norms: firstNorm
        )
        return try withExtendedLifetime(self) { () throws(Failure) in try unsafe body(rows) }
    }

    /// Adds the file's codes to its rows for the duration of `body`.
    func lendCodes<Result, Failure: Error>(
        to rows: knot_rows,
        _ body: (knot_rows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var rows = unsafe rows
        unsafe rows.codes = numbers(.codes).baseAddress
        unsafe rows.code_stride = layout.codeStride
        unsafe rows.scales = numbers(.scales).baseAddress
        unsafe rows.reaches = numbers(.reaches).baseAddress
        if layout.hasNibbles {
            unsafe rows.nibbles = numbers(.nibbles).baseAddress
            unsafe rows.nibble_stride = RowNibbles.stride(for: layout.dimension)
            unsafe rows.nibble_scales = numbers(.nibbleScales).baseAddress
            unsafe rows.nibble_reaches = numbers(.nibbleReaches).baseAddress
        }
        return try withExtendedLifetime(self) { () throws(Failure) in try unsafe body(rows) }
    }

    /// Verifies the blocks that hold these rows, unless they have been already.
    func verifyRows(_ rows: Range<Int>) throws(VectorSearchError) {
        try verify(rows, in: verifiedRows, against: .rowChecksums) { rows in
            unsafe Checksum.of(bytes(of: .rows, rows))
        }
    }

    /// Likewise the blocks of codes.
    func verifyCodes(_ rows: Range<Int>) throws(VectorSearchError) {
        try verify(rows, in: verifiedCodes, against: .codeChecksums) { rows in
            layout.codedKinds.reduce(0) { checksum, kind in
                unsafe Checksum.of(bytes(of: kind, rows), after: checksum)
            }
        }
    }

    /// Verifies all rows and all codes.
    func verify(threads: Int = 1) throws(VectorSearchError) {
        let parts = ThreadParts.split(layout.count, into: threads)
        let outcomes = ThreadParts.map(parts) { part in
            Result { () throws(VectorSearchError) in
                try self.verifyRows(part)
                if self.layout.hasCodes { try self.verifyCodes(part) }
            }
        }
        for outcome in outcomes { try outcome.get() }
    }

    /// The bytes of some rows in a section that has equally many for each row.
    @unsafe private func bytes(of kind: EmbeddingFileSection.Kind, _ rows: Range<Int>) -> UnsafeRawBufferPointer {
        let section = layout[kind]
        let each = section.byteCount / layout.count
        return unsafe map.bytes(section.offset + rows.lowerBound * each..<section.offset + rows.upperBound * each)
    }

    private func verify(
        _ rows: Range<Int>,
        in verified: VerifiedBlocks,
        against table: EmbeddingFileSection.Kind,
        _ checksum: (Range<Int>) -> UInt32
    ) throws(VectorSearchError) {
        guard !rows.isEmpty else { return }
        let missing = verified.missing(in: layout.blocks(of: rows))
        guard !missing.isEmpty else { return }
        let expected: UnsafeBufferPointer<UInt32> = unsafe numbers(table)
        for block in missing {
            let rows = layout.rows(ofBlock: block)
            guard unsafe checksum(rows) == expected[block] else {
                let what = table == .rowChecksums ? "rows" : "the byte codes of rows"
                let detail = "the checksum of \(what) \(rows.lowerBound) to \(rows.upperBound - 1) does not fit them"
                throw .file(EmbeddingFileError(.damaged, path, detail))
            }
            verified.add(block)
        }
    }
}
