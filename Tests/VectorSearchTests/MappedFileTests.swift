import Foundation
import Testing
import VectorSearch

/// Copies of a mapped file come by calls first, and through the mapping once much of it was copied.
@Suite("A mapped file that stays open")
struct MappedFileTests {
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test func `gives the same bytes however they are read`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("numbers")
        try Data(Self.bytes).write(to: URL(filePath: path))
        let file = try MappedFile(path, staysOpen: true)
        let ranges = stride(from: 0, to: Self.bytes.count, by: 1_777).map { $0..<min($0 + 3_001, Self.bytes.count) }
        for range in ranges + [0..<0, 0..<Self.bytes.count, Self.bytes.count..<Self.bytes.count] {
            #expect(file.copy(range) == Array(Self.bytes[range]), "\(range)")
        }
        #expect(!file.isCut)
    }

    /// Neither way gives bytes that are no longer there without saying so.
    @Test(arguments: [64, 60_000]) func `says when what is copied was cut off`(length: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("numbers")
        try Data(Self.bytes).write(to: URL(filePath: path))
        let file = try MappedFile(path, staysOpen: true)
        try Data(Self.bytes.prefix(50_000)).write(to: URL(filePath: path), options: [])
        let copy = file.copy(100_000 - length..<100_000)
        #expect(copy.count == length)
        #expect(file.isCut)
    }

    /// What is asked for early is only a wish: it changes no byte, whether the file is in memory or not.
    @Test func `gives the same bytes after it was asked for`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("numbers")
        try Data(Self.bytes).write(to: URL(filePath: path))
        let file = try MappedFile(path)
        file.expectReading()
        for range in [0..<0, 5..<6, 4_095..<99_999, 0..<Self.bytes.count] {
            file.expect(range)
            file.prefetch(range)
            #expect(file.isInMemory(range))
            #expect(file.copy(range) == Array(Self.bytes[range]))
        }
    }
}
