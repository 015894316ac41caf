import Synchronization
import Testing
import VectorSearch

@testable import TextEncoding

@Suite("A cached encoder")
struct CachedEncoderTests {
    private struct Refusal: Error, Equatable {}

    /// An encoder that keeps a list of what it was asked for, and refuses some texts.
    private final class ListedEncoder: Sendable {
        let asked = Mutex<[[String]]>([])

        func encoder(_ cache: EmbeddingCache, model: String = "hashed", variant: String = "") -> CachedEncoder<Refusal>
        {
            CachedEncoder(model: model, variant: variant, cache: cache) { texts throws(Refusal) in
                if texts.contains("refused") { throw Refusal() }
                self.asked.withLock { $0.append(texts) }
                return texts.map { HashedText($0, model: model).embedding }
            }
        }

        var batches: [[String]] { asked.withLock { $0 } }
    }

    @Test func `passes on the encoder's error and keeps nothing of that batch`() throws {
        let listed = ListedEncoder()
        let cache = EmbeddingCache()
        let encoder = listed.encoder(cache)
        #expect(throws: Refusal()) { try encoder.embeddings(of: ["a", "refused"]) }
        #expect(listed.batches.isEmpty)
        #expect(cache.embedding(for: HashedText("a").key) == nil)
    }

    @Test func `asks for what is missing in one batch, in order, each text once`() throws {
        let listed = ListedEncoder()
        let encoder = listed.encoder(EmbeddingCache())
        let texts = ["b", "a", "b", "", "a", "c"]
        #expect(try encoder.embeddings(of: texts) == texts.map { HashedText($0).embedding })
        #expect(
            try encoder.embeddings(of: ["d", "a", "e", "d"]) == ["d", "a", "e", "d"].map { HashedText($0).embedding }
        )
        #expect(try encoder.embeddings(of: ["e", "c"]).count == 2)
        #expect(try encoder.embeddings(of: []) == [])
        #expect(listed.batches == [["b", "a", "", "c"], ["d", "e"]])
    }

    @Test func `adds only the texts to the file that it is told to`() throws {
        let folder = try CacheFolder()
        let listed = ListedEncoder()
        do {
            let file = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
            let encoder = listed.encoder(EmbeddingCache(file: file))
            let texts = ["offer", "hint", "offer", "prototype"]
            let found = try encoder.embeddings(of: texts) { $0 != "hint" }
            #expect(found == texts.map { HashedText($0).embedding })
            _ = try encoder.embeddings(of: ["hint"])
            #expect(listed.batches == [["offer", "hint", "prototype"]])
        }
        let file = try EmbeddingCacheFile(path: folder.file("cache"), for: .reading)
        #expect(file.count == 2 && file.embedding(for: HashedText("hint").key) == nil)
        _ = try listed.encoder(EmbeddingCache(file: file)).embeddings(of: ["prototype", "offer", "hint"])
        #expect(listed.batches.last == ["hint"])
    }

    @Test func `makes what many callers miss at once only once`() async throws {
        let listed = ListedEncoder()
        let cache = EmbeddingCache()
        let texts = (0..<40).map { "text \($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    let mine = Array(texts[(caller * 3)..<(caller * 3 + 19)])
                    let embeddings = try listed.encoder(cache).embeddings(of: mine)
                    #expect(embeddings == mine.map { HashedText($0).embedding })
                }
            }
            try await group.waitForAll()
        }
        let asked = listed.batches.flatMap { $0 }
        #expect(asked.sorted() == texts.sorted())
    }

    @Test func `takes texts that differ in bytes for different ones`() throws {
        let listed = ListedEncoder()
        let encoder = listed.encoder(EmbeddingCache())
        let texts = ["caf\u{E9}", "cafe\u{301}"]
        #expect(texts[0] == texts[1])
        _ = try encoder.embeddings(of: texts)
        #expect(listed.batches.map(\.count) == [2])
    }

    @Test func `keeps models and variants apart`() throws {
        let listed = ListedEncoder()
        let cache = EmbeddingCache()
        _ = try listed.encoder(cache, model: "one").embeddings(of: ["a"])
        let two = try listed.encoder(cache, model: "two").embeddings(of: ["a"])
        _ = try listed.encoder(cache, model: "two", variant: "bytes").embeddings(of: ["a"])
        _ = try listed.encoder(cache, model: "two", variant: "bytes").embeddings(of: ["a"])
        #expect(two.map(\.model) == ["two"])
        #expect(listed.batches.count == 3)
    }

    @Test func `finds in its file what an earlier run has made, and says where it found what`() throws {
        let folder = try CacheFolder()
        let texts = (0..<40).map { "text \($0)" }
        let listed = ListedEncoder()
        for run in 0..<2 {
            let file = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
            let cache = EmbeddingCache(limit: 10, file: file)
            let encoder = listed.encoder(cache)
            #expect(try encoder.embeddings(of: texts) == texts.map { HashedText($0).embedding })
            #expect(cache.counts.misses == (run == 0 ? 40 : 0))
            #expect(cache.counts.fileHits == (run == 0 ? 0 : 40))
            #expect(try encoder.embeddings(of: [texts[39]]).count == 1)
            #expect(cache.counts.memoryHits == 1)
            #expect(cache.notes.isEmpty)
        }
        #expect(listed.batches == [texts])
    }

    @Test func `reads beside a writer without adding anything`() throws {
        let folder = try CacheFolder()
        let bytes = try folder.filled("cache", ["a"], numbers: 384)
        let listed = ListedEncoder()
        let writer = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
        let cache = EmbeddingCache(file: try EmbeddingCacheFile(path: folder.file("cache"), for: .reading))
        #expect(try listed.encoder(cache).embeddings(of: ["a", "b"]).count == 2)
        #expect(listed.batches == [["b"]])
        #expect(cache.notes.isEmpty)
        #expect(try folder.bytes("cache") == bytes)
        withExtendedLifetime(writer) {}
    }

    @Test func `gives the same for random requests with any limit as without a cache`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        for _ in 0..<50 {
            let encoder = ListedEncoder().encoder(EmbeddingCache(limit: Int.random(in: 0...12, using: &generator)))
            for _ in 0..<10 {
                let texts = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                    "\(Int.random(in: 0...15, using: &generator))"
                }
                #expect(
                    try encoder.embeddings(of: texts) == texts.map { HashedText($0).embedding },
                    "seed \(seed)"
                )
            }
        }
    }
}
