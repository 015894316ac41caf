import Exactness
import Testing

@testable import VectorSearch

@Suite("A forged file of embeddings")
struct ForgedFileTests {
    /// Gives changed bytes every checksum they would have, as only a forger does.
    private static func sealed(_ bytes: [UInt8], path: String) throws -> [UInt8] {
        var bytes = bytes
        var layout = try EmbeddingFileLayout(
            header: Array(bytes.prefix(EmbeddingFileLayout.headerBytes)),
            actualByteCount: bytes.count,
            path: path
        )
        let tables: [(EmbeddingFileSection.Kind, [EmbeddingFileSection.Kind])] = [
            (.rowChecksums, [.rows]), (.codeChecksums, layout.codedKinds),
        ]
        for (table, kinds) in tables {
            for block in 0..<layout.blockCount {
                let rows = layout.rows(ofBlock: block)
                let parts = kinds.flatMap { kind in
                    let each = layout[kind].byteCount / layout.count
                    return bytes[layout[kind].range].dropFirst(rows.lowerBound * each).prefix(rows.count * each)
                }
                let checksum = Checksum.of(parts.span)
                for byte in 0..<4 {
                    bytes[layout[table].offset + block * 4 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte))
                }
            }
        }
        for index in layout.sections.indices where layout.sections[index].kind.isWhole {
            let section = Array(bytes[layout.sections[index].range])
            layout.sections[index].checksum = Checksum.of(section.span)
        }
        bytes.replaceSubrange(0..<EmbeddingFileLayout.headerBytes, with: layout.bytes)
        return bytes
    }

    @Test func `finds wrong rows at worst: no search of it fails`() throws {
        let folder = try TemporaryFolder()
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let index = try ExactIndex(SomeRows.matrix(count: 300), usesCodes: true, fewestNibbleRows: 0)
        try index.write(to: folder.file("valid"))
        let valid = try folder.bytes("valid")
        let layout = try EmbeddingFile(path: folder.file("valid")).layout
        let queries = try SomeRows.matrix(count: 9, seed: 9)
        let strange: [UInt32] = [0, 0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0xBF80_0000, 1, .max, 0x7F7F_FFFF]
        var searches = 0
        for _ in 0..<20 {
            var bytes = valid
            for kind in [EmbeddingFileSection.Kind.norms, .rows] + layout.codedKinds where random.chance(60) {
                let section = layout[kind]
                for _ in 0..<random.pick([1, 20, section.byteCount / 8]) {
                    let place = section.offset + Int.random(in: 0..<section.byteCount / 4, using: &random) * 4
                    let number = random.chance(50) ? random.pick(strange) : UInt32(truncatingIfNeeded: random.next())
                    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
                }
            }
            try folder.write(Self.sealed(bytes, path: "forged"), "forged")
            let matrix: EmbeddingMatrix
            do throws(VectorSearchError) {
                matrix = try EmbeddingMatrix(contentsOf: folder.file("forged"))
            } catch {
                // Lengths that no row can have are noticed.
                guard case .file(let error) = error else { throw error }
                #expect(error.code == .senseless)
                continue
            }
            for kernels in Kernels.available {
                for limit in [1, 10, 400] {
                    let index = try ExactIndex(matrix, kernels: kernels, usesCodes: true, fewestNibbleRows: 0)
                    for count in [1, 9] {
                        let some = try Array((0..<count).map { try queries.values(ofRow: $0) }.joined())
                        let found = try index.search(some.span, limit: limit).matches
                        #expect(found.count == count && found.joined().allSatisfy { $0.row < 300 }, "seed \(seed)")
                        searches += 1
                    }
                }
            }
        }
        #expect(searches > 0, "seed \(seed)")
    }
}
