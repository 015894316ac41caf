import CVectorKernels
import Synchronization
import Threads

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

    /// Where `isTrusted`, whoever opens it knows that the file is as it was written: then no checksum is worked out, and
    /// nothing is read that is not asked for.
    init(path: String, isTrusted: Bool = false) throws(EmbeddingFileError) {
        let map = try MappedFile(path)
        // Touching it would read megabytes around it.
        map.ask(for: 0..<min(map.count, EmbeddingFileLayout.headerBytes))
        let header = unsafe [UInt8](map.bytes(0..<min(map.count, EmbeddingFileLayout.headerBytes)))
        let layout = try EmbeddingFileLayout(header: header, actualByteCount: map.count, path: path)
        self.path = path
        self.layout = layout
        self.map = map
        verifiedRows = VerifiedBlocks(count: isTrusted ? 0 : layout.blockCount)
        verifiedCodes = VerifiedBlocks(count: layout.hasCodes && !isTrusted ? layout.blockCount : 0)
        guard !isTrusted else { return }
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

    var mapping: MappedFile { map }

    /// The sections that a search reads from end to end: the lengths, and either the codes or the rows themselves.
    func searchedRanges(usesCodes: Bool) -> [Range<Int>] {
        let kinds: [EmbeddingFileSection.Kind] = usesCodes && layout.hasCodes ? [.codes, .scales, .reaches] : [.rows]
        return (kinds + [.norms]).map { layout[$0].range }
    }

    /// Asks the disk for a row before it is read.
    func expect(row: Int) {
        let (section, each) = (layout[.rows], layout.stride * MemoryLayout<Float>.size)
        map.expect(section.offset + row * each..<section.offset + (row + 1) * each)
    }

    /// Throws where the file was cut short while it was in use: what was read of it since is not what was written.
    func ensureWhole() throws(VectorSearchError) {
        guard map.isCut else { return }
        throw .file(EmbeddingFileError(.cut, path, "it was cut short while it was in use"))
    }

    func id(ofRow row: Int) -> String {
        precondition(row >= 0 && row < layout.count, "no such row")
        let offsets: UnsafeBufferPointer<UInt64> = unsafe numbers(.idOffsets)
        let bytes: UnsafeBufferPointer<UInt8> = unsafe numbers(.ids)
        let (start, end) = unsafe (offsets[row], offsets[row + 1])
        // So it was when the file was opened; someone may have written into it since.
        guard start <= end, end <= UInt64(bytes.count) else { return "" }
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
    func withRows<Result, Failure: Error>(_ body: (knot_rows) throws(Failure) -> Result) throws(Failure) -> Result {
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

/// What is wrong with a file of embeddings, and where.
package struct EmbeddingFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The system would not open, map or list the file.
        case unreadable
        /// The system would not write the file; the old one, if any, is as it was.
        case unwritable
        /// The file does not begin as files of embeddings do.
        case foreign
        /// The file was written by a later version of this format.
        case newer
        /// The file ends too early, or goes on after its end.
        case cut
        /// Bytes differ from those that were written.
        case damaged
        /// The bytes are those that were written, and they contradict each other.
        case senseless
    }

    package let code: Code
    package let path: String
    /// The part of the file and what is the matter with it.
    package let detail: String

    init(_ code: Code, _ path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .unreadable: "The embeddings in \(path) cannot be read: \(detail)."
        case .unwritable: "The embeddings cannot be written to \(path): \(detail)."
        case .foreign, .newer: "\(path) is not a file of embeddings that can be read here: \(detail)."
        case .cut, .damaged, .senseless: "The embeddings in \(path) are damaged: \(detail)."
        }
    }
}

/// A stretch of a file of embeddings.
struct EmbeddingFileSection: Sendable, Equatable {
    enum Kind: UInt32, Sendable, CaseIterable {
        case ids = 1
        case idOffsets, norms, rowChecksums, rows, codeChecksums, codes, scales, reaches
        case nibbles, nibbleScales, nibbleReaches

        /// What a person calls it.
        var name: String {
            switch self {
            case .ids: "the ids"
            case .idOffsets: "the places of the ids"
            case .norms: "the lengths"
            case .rowChecksums: "the checksums of the rows"
            case .rows: "the rows"
            case .codeChecksums: "the checksums of the byte codes"
            case .codes: "the byte codes"
            case .scales: "the scales of the byte codes"
            case .reaches: "the errors of the byte codes"
            case .nibbles: "the codes of half a byte"
            case .nibbleScales: "the scales of the codes of half a byte"
            case .nibbleReaches: "the errors of the codes of half a byte"
            }
        }

        /// Whether it is only there with byte codes.
        var belongsToCodes: Bool { rawValue >= Kind.codeChecksums.rawValue }

        /// Whether it is only there with codes of half a byte.
        var belongsToNibbles: Bool { rawValue >= Kind.nibbles.rawValue }

        /// Whether it is codes or what belongs to each row's.
        var isCoded: Bool { rawValue >= Kind.codes.rawValue }

        /// Whether its checksum is in the header; the others have one for each block of rows.
        var isWhole: Bool { self != .rows && !isCoded }

        /// Where it may begin: large ones at pages of the system.
        var alignment: Int { self == .rows || self == .codes || self == .nibbles ? 4_096 : 64 }
    }

    let kind: Kind
    var offset: Int
    var byteCount: Int
    /// CRC32C of the bytes; 0 where the blocks have their own.
    var checksum: UInt32 = 0

    var range: Range<Int> { offset..<offset + byteCount }
}

/// Which blocks of a file have been found to be as they were written.
///
/// Safe to share: the address never changes, all access is atomic, and the memory is freed when nobody can see it any more.
@safe final class VerifiedBlocks: @unchecked Sendable {
    /// One bit for each block.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordCount: Int
    /// How many blocks are not verified yet.
    private let left: Atomic<Int>

    init(count: Int) {
        wordCount = (count + 63) / 64
        left = Atomic(count)
        unsafe words = .allocate(capacity: wordCount)
        for word in 0..<wordCount { unsafe (words + word).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe words.deinitialize(count: wordCount)
        unsafe words.deallocate()
    }

    func missing(in blocks: Range<Int>) -> [Int] {
        guard left.load(ordering: .acquiring) > 0 else { return [] }
        precondition(blocks.upperBound <= wordCount * 64, "no such block")
        // A block below the bound has its bit in one of the words.
        return blocks.filter { unsafe words[$0 >> 6].load(ordering: .acquiring) >> UInt64($0 & 63) & 1 == 0 }
    }

    /// Two threads may verify one block at the same time; it counts once.
    func add(_ block: Int) {
        precondition(block >= 0 && block < wordCount * 64, "no such block")
        let bit: UInt64 = 1 << UInt64(block & 63)
        // The precondition puts the block into one of the words.
        let earlier = unsafe words[block >> 6].bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue
        if earlier & bit == 0 { left.subtract(1, ordering: .acquiringAndReleasing) }
    }
}

extension EmbeddingMatrix {
    /// Opens a file of embeddings in place; its rows are verified at their first use.
    ///
    /// A model other than `model` is refused. A trusted file is not verified, since somebody has done it before.
    package init(contentsOf path: String, model: String? = nil, isTrusted: Bool = false) throws(VectorSearchError) {
        let file: EmbeddingFile
        do throws(EmbeddingFileError) {
            file = try EmbeddingFile(path: path, isTrusted: isTrusted)
        } catch {
            throw .file(error)
        }
        if let model, model != file.layout.model { throw .mixedModels(model, file.layout.model) }
        try self.init(file: file)
    }

    /// The file that the rows are in, to be read from the disk at once instead of page by page.
    package var mapping: MappedFile? { file?.mapping }

    /// Verifies everything that has not been verified yet; rows in memory always are.
    package func verify(threads: Int = 1) throws(VectorSearchError) {
        try file?.verify(threads: threads)
    }

    /// Replaces the file at `path` by one with these rows, without byte codes.
    package func write(to path: String) throws(VectorSearchError) {
        try ExactIndex(self, usesCodes: false).write(to: path)
    }
}
