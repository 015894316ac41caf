import Testing
import VectorSearch

@testable import TextEncoding

@Suite("A damaged file of cached embeddings")
struct EmbeddingCacheDamageTests {
    private let folder: CacheFolder
    private let texts = (0..<5).map { HashedText("text \($0)", numbers: $0 + 3) }

    init() throws { folder = try CacheFolder() }

    /// A file of the five texts, and where each one's record ends.
    private func filled() throws -> (bytes: [UInt8], ends: [Int]) {
        let cache = try EmbeddingCacheFile(path: folder.file("whole"), for: .appending)
        let ends = try texts.map { text in
            try cache.append([text.entry])
            return try folder.bytes("whole").count
        }
        return (try folder.bytes("whole"), ends)
    }

    /// How many of the texts are found, every one as it was written.
    private func found(_ cache: EmbeddingCacheFile) -> [Bool] {
        texts.map { text in
            guard let embedding = cache.embedding(for: text.key) else { return false }
            #expect(embedding == text.embedding)
            return true
        }
    }

    @Test func `that was cut at any length keeps the records before the cut and goes on behind them`() throws {
        let (bytes, ends) = try filled()
        for length in EmbeddingCacheHeader.byteCount...bytes.count {
            try folder.write(Array(bytes.prefix(length)), "cut")
            let whole = ends.filter { $0 <= length }.count
            let expected = texts.indices.map { $0 < whole }
            #expect(try found(EmbeddingCacheFile(path: folder.file("cut"), for: .reading)) == expected, "\(length)")
            #expect(try folder.bytes("cut").count == length, "a reader changes nothing")
            let writer = try EmbeddingCacheFile(path: folder.file("cut"), for: .appending)
            #expect(found(writer) == expected, "\(length)")
            let rest = try folder.bytes("cut").count
            #expect(writer.notes.count == (rest < length ? 1 : 0))
            #expect(writer.notes.allSatisfy { $0.contains("unfinished record of \(length - rest) bytes") })
            try writer.append(texts.map(\.entry))
            #expect(found(writer) == texts.map { _ in true }, "\(length)")
            #expect(try folder.bytes("cut") == bytes, "\(length)")
        }
    }

    @Test func `with any one bit flipped loses at most one record and never gives a wrong one`() throws {
        let (bytes, _) = try filled()
        for place in EmbeddingCacheHeader.byteCount..<bytes.count {
            var flipped = bytes
            flipped[place] ^= 1 << UInt8(place & 7)
            try folder.write(flipped, "flipped")
            let reader = try EmbeddingCacheFile(path: folder.file("flipped"), for: .reading)
            #expect(found(reader).filter { !$0 }.count <= 1, "\(place)")
            let writer = try EmbeddingCacheFile(path: folder.file("flipped"), for: .appending)
            _ = found(writer)
            try writer.append(texts.map(\.entry))
            #expect(found(writer) == texts.map { _ in true }, "\(place)")
            let again = try EmbeddingCacheFile(path: folder.file("flipped"), for: .reading)
            #expect(found(again) == texts.map { _ in true }, "\(place)")
        }
    }

    @Test func `says how much of it is lost in its middle`() throws {
        var (bytes, ends) = try filled()
        bytes[ends[1] + 4] ^= 1
        try folder.write(bytes, "middle")
        let reader = try EmbeddingCacheFile(path: folder.file("middle"), for: .reading)
        #expect(found(reader) == [true, true, false, true, true])
        #expect(reader.notes.map { $0.contains("\(ends[2] - ends[1]) damaged bytes") } == [true])
    }

    @Test func `with zeros behind its end, as after a loss of power, is cut there`() throws {
        let (bytes, _) = try filled()
        try folder.write(bytes + [UInt8](repeating: 0, count: 8_192), "zeros")
        let writer = try EmbeddingCacheFile(path: folder.file("zeros"), for: .appending)
        #expect(found(writer) == texts.map { _ in true })
        #expect(writer.notes.count == 1)
        #expect(try folder.bytes("zeros") == bytes)
    }

    @Test func `does not take a copied record for one`() throws {
        let (bytes, ends) = try filled()
        let copy = bytes[ends[0]..<ends[1]]
        try folder.write(Array(bytes[..<ends[0]]) + copy + copy, "copied")
        let reader = try EmbeddingCacheFile(path: folder.file("copied"), for: .reading)
        #expect(found(reader) == [true, true, false, false, false])
        #expect(reader.notes.count == 1)
    }

    @Test func `with random cuts, flips and stretches of noise opens and gives nothing wrong`() throws {
        let (bytes, _) = try filled()
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let start = Int.random(in: EmbeddingCacheHeader.byteCount..<damaged.count, using: &generator)
                let end = min(damaged.count, start + Int.random(in: 0...200, using: &generator))
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: for place in start..<end { damaged[place] = .random(in: 0...255, using: &generator) }
                case 1: damaged.removeSubrange(start..<end)
                case 2: damaged.insert(contentsOf: damaged[start..<end], at: start)
                default: damaged[start] ^= 0x10
                }
            }
            try folder.write(damaged, "noise")
            _ = found(try EmbeddingCacheFile(path: folder.file("noise"), for: .reading))
            let writer = try EmbeddingCacheFile(path: folder.file("noise"), for: .appending)
            _ = found(writer)
            try writer.append(texts.map(\.entry))
            #expect(found(writer) == texts.map { _ in true }, "seed \(seed)")
        }
    }
}
