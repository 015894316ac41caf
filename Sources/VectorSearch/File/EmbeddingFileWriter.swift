import CVectorKernels

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
