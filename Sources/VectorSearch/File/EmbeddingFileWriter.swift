import CVectorKernels
import Glibc

/// Writes files of embeddings: `EmbeddingFileLayout` describes them.
enum EmbeddingFileWriter {
    /// Replaces the file at `path` by the index' rows and, where it has them, codes.
    static func write(_ index: ExactIndex, to path: String) throws(VectorSearchError) {
        let matrix = index.matrix
        guard matrix.model.utf8.count <= EmbeddingFileLayout.mostModelBytes else {
            throw .file(EmbeddingFileError(.unwritable, path, "the model's name is too long for the header"))
        }
        // New checksums over damaged rows would hide the damage.
        try index.verify(0..<matrix.count)
        let ids = matrix.packedIDs
        var layout = EmbeddingFileLayout(
            model: matrix.model,
            dimension: matrix.dimension,
            count: matrix.count,
            idByteCount: ids.bytes.count,
            hasCodes: index.hasCodes,
            hasNibbles: index.hasNibbles
        )
        do throws(EmbeddingFileError) {
            let file = try FileReplacement(of: path)
            try unsafe index.withRows { rows throws(EmbeddingFileError) in
                for position in layout.sections.indices {
                    layout.sections[position].checksum = try unsafe write(
                        layout.sections[position],
                        of: rows,
                        ids: ids,
                        layout: layout,
                        to: file
                    )
                }
            }
            try write(layout.bytes, at: 0, to: file)
            try file.commit(byteCount: layout.fileByteCount)
        } catch {
            throw .file(error)
        }
    }

    /// Writes one section and returns its checksum for the header.
    private static func write(
        _ section: EmbeddingFileSection,
        of rows: knot_rows,
        ids: PackedIDs,
        layout: EmbeddingFileLayout,
        to file: FileReplacement
    ) throws(EmbeddingFileError) -> UInt32 {
        switch section.kind {
        case .ids: return try write(ids.bytes, at: section.offset, to: file)
        case .idOffsets: return try write(ids.offsets, at: section.offset, to: file)
        case .rowChecksums:
            return try unsafe write(checksums(of: [.rows], rows, layout), at: section.offset, to: file)
        case .codeChecksums:
            return try unsafe write(
                checksums(of: layout.codedKinds, rows, layout),
                at: section.offset,
                to: file
            )
        case .norms, .rows, .codes, .scales, .reaches, .nibbles, .nibbleScales, .nibbleReaches:
            let bytes = unsafe bytes(of: section.kind, rows, layout)
            try unsafe file.write(bytes, at: section.offset)
            return unsafe section.kind.isWhole ? Checksum.of(bytes) : 0
        }
    }

    @discardableResult
    private static func write<Number: BitwiseCopyable>(
        _ numbers: [Number],
        at offset: Int,
        to file: FileReplacement
    ) throws(EmbeddingFileError) -> UInt32 {
        try unsafe numbers.withUnsafeBufferPointer { buffer throws(EmbeddingFileError) in
            let bytes = UnsafeRawBufferPointer(buffer)
            try unsafe file.write(bytes, at: offset)
            return unsafe Checksum.of(bytes)
        }
    }

    /// One checksum for each block over its part of these sections.
    private static func checksums(
        of kinds: [EmbeddingFileSection.Kind],
        _ rows: knot_rows,
        _ layout: EmbeddingFileLayout
    ) -> [UInt32] {
        (0..<layout.blockCount).map { block in
            kinds.reduce(0) { checksum, kind in
                let bytes = unsafe bytes(of: kind, rows, layout)
                let each = bytes.count / layout.count
                let range = layout.rows(ofBlock: block)
                // The block's rows are among the section's.
                let part = unsafe UnsafeRawBufferPointer(
                    rebasing: bytes[range.lowerBound * each..<range.upperBound * each]
                )
                return unsafe Checksum.of(part, after: checksum)
            }
        }
    }

    /// Where a section's bytes are in memory; they are as many as the layout says, which follows the same rows.
    private static func bytes(
        of kind: EmbeddingFileSection.Kind,
        _ rows: knot_rows,
        _ layout: EmbeddingFileLayout
    ) -> UnsafeRawBufferPointer {
        let start: UnsafeRawPointer? =
            switch kind {
            case .norms: unsafe UnsafeRawPointer(rows.norms)
            case .rows: unsafe UnsafeRawPointer(rows.values)
            case .codes: unsafe rows.codes.map { unsafe UnsafeRawPointer($0) }
            case .scales: unsafe rows.scales.map { unsafe UnsafeRawPointer($0) }
            case .reaches: unsafe rows.reaches.map { unsafe UnsafeRawPointer($0) }
            case .nibbles: unsafe rows.nibbles.map { unsafe UnsafeRawPointer($0) }
            case .nibbleScales: unsafe rows.nibble_scales.map { unsafe UnsafeRawPointer($0) }
            case .nibbleReaches: unsafe rows.nibble_reaches.map { unsafe UnsafeRawPointer($0) }
            case .ids, .idOffsets, .rowChecksums, .codeChecksums: nil
            }
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : layout[kind].byteCount)
    }
}

/// A file on its way to replace another: until `commit` has returned, the old one is as it was.
package final class FileReplacement {
    private let path: String
    private let target: String
    private let temporary: String
    private var descriptor: Int32

    /// Begins an empty file beside the one to be replaced; behind a link, beside the file it points to.
    package init(of path: String) throws(EmbeddingFileError) {
        self.path = path
        target = Self.resolved(path)
        let name = target.split(separator: "/").last ?? ""
        temporary =
            Self.folder(of: target) + "/.\(name.prefix(100)).\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
        descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw EmbeddingFileError(.unwritable, path, SystemFault.last) }
    }

    deinit {
        // Not committed: the half of a file must not stay.
        guard descriptor >= 0 else { return }
        _ = close(descriptor)
        _ = unsafe unlink(temporary)
    }

    /// Writes at a place in the file.
    @unsafe package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(EmbeddingFileError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    /// Likewise bytes of our own.
    package func write(_ bytes: [UInt8], at offset: Int) throws(EmbeddingFileError) {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(EmbeddingFileError) in
            try unsafe write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }

    /// Lengthens the file to `byteCount`, puts it on the disk, and lets it take the old one's place.
    package func commit(byteCount: Int) throws(EmbeddingFileError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0, fsync(descriptor) == 0 else { throw failure() }
        let closing = close(descriptor)
        descriptor = -1
        guard closing == 0, unsafe rename(temporary, target) == 0 else {
            let error = failure()
            _ = unsafe unlink(temporary)
            throw error
        }
        // The rename must survive a crash as well; a folder that cannot be flushed has it anyway, only later.
        let folder = unsafe open(Self.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        _ = close(folder)
    }

    private func failure() -> EmbeddingFileError { EmbeddingFileError(.unwritable, path, SystemFault.last) }

    private static func resolved(_ path: String) -> String {
        guard let pointer = unsafe realpath(path, nil) else { return path }
        // The system has allocated the path for us to free.
        defer { unsafe free(pointer) }
        return unsafe String(cString: pointer)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
