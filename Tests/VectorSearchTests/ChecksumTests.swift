import CVectorKernels
import Exactness
import Testing

@testable import VectorSearch

@Suite("The checksum")
struct ChecksumTests {
    /// One bit at a time, as the definition says.
    private static func plain(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
    }

    @Test func `has the values that others know`() {
        #expect(Checksum.of(Array("123456789".utf8).span) == 0xE306_9283)
        #expect(Checksum.of([UInt8](repeating: 0, count: 32).span) == 0x8A91_36AA)
        #expect(Checksum.of([UInt8](repeating: 0xFF, count: 32).span) == 0x62A8_AB43)
        #expect(Checksum.of([UInt8](0..<32).span) == 0x46DD_794E)
        #expect(Checksum.of([UInt8]().span) == 0)
    }

    @Test func `is that of the definition for every length, from any place and in any pieces`() {
        var random = SeededRandom(seed: 21)
        let bytes = (0..<30_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for length in Array(0..<80) + [255, 767, 768, 769, 1_536, 4_095, 12_288, 12_289, 29_000] {
            let start = Int.random(in: 0..<64, using: &random)
            let cut = Int.random(in: 0...length, using: &random)
            let (whole, first) = unsafe bytes.withUnsafeBytes { bytes in
                let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
                let first = unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: part[..<cut]))
                return unsafe (
                    Checksum.of(part), Checksum.of(UnsafeRawBufferPointer(rebasing: part[cut...]), after: first)
                )
            }
            #expect(whole == Self.plain(bytes[start..<start + length]), "\(length) bytes from \(start)")
            #expect(first == whole, "\(length) bytes cut at \(cut)")
        }
    }
}
