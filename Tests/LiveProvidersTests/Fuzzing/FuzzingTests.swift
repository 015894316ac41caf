import Foundation
import FuzzTargets
import TestSupport
import Testing

/// A short run of what `make fuzz` runs for long: the corpus, and seeded mutations of it.
@Suite("What strangers write")
struct FuzzingTests {
    private static func corpus(_ target: FuzzTarget) throws -> [[UInt8]] {
        let folder = Repository.root.appending(path: "fixtures/fuzz/\(target.rawValue)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { Array(try Data(contentsOf: folder.appending(path: $0))) }
    }

    /// Bytes that mean something somewhere in what is read.
    private static let tokens = [
        "{", "}", "[", "]", "\"", "\\", "<", ">", "</script>", "<!--", "null", "-1", "1e999", "\\u0000", "\\ud800",
        "://", "@", "%00", "[::1]", "127.0.0.1", "//", "..", "\r\n", "GMT", "\u{FF0E}", "price", "\u{202E}",
    ].map { Array($0.utf8) }

    private static func mutated(_ bytes: [UInt8], _ other: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
            case 3:
                let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
                bytes.removeSubrange(place..<end)
            case 4: bytes = Array(bytes[..<place]) + other.suffix(Int.random(in: 0...other.count, using: &random))
            default:
                let end = min(bytes.count, place + Int.random(in: 0...200, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        return Array(bytes.prefix(64 << 10))
    }

    @Test(arguments: FuzzTarget.allCases)
    func `breaks no promise, and is read in no time, however it is mutilated`(target: FuzzTarget) throws {
        let corpus = try Self.corpus(target)
        try #require(corpus.count >= 5)
        for bytes in corpus { #expect(target.complaint(about: bytes) == nil) }
        let seed: UInt64 = 20_261_123
        var random = SeededRandom(seed: seed)
        var longest = Duration.zero
        for round in 0..<1_500 {
            let (one, other) = (corpus.randomElement(using: &random) ?? [], corpus.randomElement(using: &random) ?? [])
            let bytes = Self.mutated(one, other, &random)
            var complaint: String?
            longest = max(longest, ThreadTime.measure { complaint = target.complaint(about: bytes) })
            #expect(complaint == nil, "round \(round) of seed \(seed): \(bytes.prefix(400))")
            guard complaint == nil else { return }
        }
        // Of the processor's; what takes time by the square of the length takes minutes.
        #expect(longest < .seconds(5), "\(longest)")
    }
}
