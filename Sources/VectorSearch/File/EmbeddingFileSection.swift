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
