import Foundation
import Testing
import VectorSearch

@testable import TextEncoding

@Suite("A file of cached embeddings")
struct EmbeddingCacheFileTests {
    private let folder: CacheFolder

    init() throws { folder = try CacheFolder() }

    private func refusal(_ name: String, for access: EmbeddingCacheFile.Access = .appending) -> EmbeddingCacheError? {
        do throws(EmbeddingCacheError) {
            _ = try EmbeddingCacheFile(path: folder.file(name), for: access)
            return nil
        } catch {
            return error.description.contains(name) ? error : nil
        }
    }

    @Test func `is refused when it is a folder, a pipe or missing for a reader`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(refusal("missing", for: .reading)?.code == .unreadable)
        #expect(refusal("folder", for: .reading)?.code == .unreadable)
        #expect(refusal("folder")?.code == .unreadable)
        #expect(refusal("pipe", for: .reading)?.code == .unreadable)
        #expect(refusal("none/cache")?.code == .unreadable)
    }

    @Test func `of another format, version or length of embeddings is refused and left alone`() throws {
        let header = EmbeddingCacheHeader.bytes
        func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
            var bytes = header
            bytes[place] = value
            var end: [UInt8] = []
            end.add(little: Checksum.of(bytes.span.extracting(first: 60)))
            bytes.replaceSubrange(60..<64, with: end)
            return bytes
        }
        var flipped = header
        flipped[40] = 1
        let cases: [(String, [UInt8], EmbeddingCacheError.Code)] = [
            ("text", Array("embedding,text\n".utf8), .foreign), ("long", Array(repeating: 7, count: 500), .foreign),
            ("later", changed(8, 2), .newer), ("shorter", changed(17, 1), .otherDimension),
            ("flipped", flipped, .damaged), ("odd", changed(30, 1), .damaged), ("zeroth", changed(8, 0), .damaged),
        ]
        for (name, bytes, code) in cases {
            try folder.write(bytes, name)
            #expect(refusal(name)?.code == code, "\(name)")
            #expect(refusal(name, for: .reading)?.code == code, "\(name)")
            #expect(try folder.bytes(name) == bytes, "\(name)")
        }
    }

    @Test func `that was begun and not even got its header is begun again`() throws {
        for count in 0..<EmbeddingCacheHeader.byteCount {
            try folder.write(Array(EmbeddingCacheHeader.bytes.prefix(count)), "begun")
            #expect(try EmbeddingCacheFile(path: folder.file("begun"), for: .reading).count == 0)
            let cache = try EmbeddingCacheFile(path: folder.file("begun"), for: .appending)
            #expect(cache.notes.isEmpty)
            #expect(try folder.bytes("begun") == EmbeddingCacheHeader.bytes)
        }
    }

    @Test func `gives back every embedding bit by bit, in this run and in the next`() throws {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        values[0] = .leastNonzeroMagnitude
        values[500] = -0.0
        let odd = try #require(Embedding(values, model: HashedText.model))
        let zero = try #require(Embedding([Float](repeating: 0, count: Embedding.dimension), model: HashedText.model))
        let entries =
            [0, 1, 383, 384, 768].map { HashedText("text \($0)", numbers: $0).entry } + [
                (HashedText("odd").key, odd), (HashedText("").key, zero),
            ]
        let cache = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
        try cache.append(Array(entries.prefix(3)))
        try cache.append(Array(entries.dropFirst(3)))
        let reader = try EmbeddingCacheFile(path: folder.file("cache"), for: .reading)
        for (key, embedding) in entries {
            for file in [cache, reader] {
                let found = try #require(file.embedding(for: key))
                #expect(found.values.map(\.bitPattern) == embedding.values.map(\.bitPattern))
                #expect(found == embedding)
            }
        }
        #expect(reader.count == entries.count)
        #expect(reader.models == [HashedText.model])
        #expect(reader.notes.isEmpty)
        #expect(reader.embedding(for: HashedText("unknown").key) == nil)
    }

    @Test func `keeps only the numbers before the zeros that pad a shorter model`() throws {
        let short = try folder.filled("short", ["a"], numbers: 384).count
        let long = try folder.filled("long", ["a"], numbers: 768).count
        #expect(long - short == 384 * 4)
        #expect(short < 64 + 64 + 8 + 64 + 384 * 4 + 8)
    }

    @Test func `keeps the models apart, also after a change of the model`() throws {
        let models = ["one", "two", "one "]
        for model in models {
            let cache = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
            #expect(cache.embedding(for: HashedText("same", model: model).key) == nil)
            try cache.append([HashedText("same", model: model).entry])
        }
        let reader = try EmbeddingCacheFile(path: folder.file("cache"), for: .reading)
        for model in models {
            let text = HashedText("same", model: model)
            #expect(reader.embedding(for: text.key) == text.embedding)
        }
        #expect(reader.models == models.sorted())
    }

    @Test func `refuses an embedding under another model's key`() throws {
        let cache = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
        #expect {
            try cache.append([(HashedText("a", model: "other").key, HashedText("a").embedding)])
        } throws: {
            ($0 as? EmbeddingCacheError)?.code == .unwritable
        }
        #expect(try folder.bytes("cache") == EmbeddingCacheHeader.bytes)
    }

    @Test func `keeps one record of a text however often it is added`() throws {
        let entry = HashedText("a").entry
        let cache = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
        try cache.append([entry, entry])
        let bytes = try folder.bytes("cache")
        try cache.append([entry])
        #expect(try folder.bytes("cache") == bytes)
        #expect(cache.count == 1)
    }

    /// A record of 8 numbers takes 96 bytes.
    @Test func `takes nothing up beyond its limit, and the next writer begins it anew`() throws {
        let limit = 2_000
        let texts = (0..<100).map { HashedText("text \($0)", numbers: 8) }
        func writer() throws -> EmbeddingCacheFile {
            try EmbeddingCacheFile(path: folder.file("cache"), for: .appending, limit: limit)
        }
        do {
            let cache = try writer()
            for text in texts { try cache.append([text.entry]) }
            try cache.append(texts.map(\.entry))
            #expect((10..<25).contains(cache.count))
        }
        let size = try folder.bytes("cache").count
        #expect((limit..<limit + 96).contains(size))
        let reader = try EmbeddingCacheFile(path: folder.file("cache"), for: .reading, limit: limit)
        #expect(reader.embedding(for: texts[9].key) == texts[9].embedding)
        let cache = try writer()
        #expect(cache.count == 0 && cache.notes.isEmpty)
        try cache.append([texts[50].entry])
        #expect(try folder.bytes("cache").count < 300)
        // What lay before the end of the file reads as nothing, and never as another text's vector.
        for text in texts.prefix(20) {
            let found = reader.embedding(for: text.key)
            #expect(found == nil || found == text.embedding)
        }
        #expect(try EmbeddingCacheFile(path: folder.file("cache"), for: .reading).count == 1)
    }

    @Test func `has one writer at a time, and any number of readers`() throws {
        let writer = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
        let second = refusal("cache")
        #expect(second?.code == .inUse)
        #expect(second?.description.contains("others may read") == true)
        try writer.append([HashedText("a").entry])
        let readers = try (0..<3).map { _ in try EmbeddingCacheFile(path: folder.file("cache"), for: .reading) }
        #expect(readers.allSatisfy { $0.embedding(for: HashedText("a").key) == HashedText("a").embedding })
        #expect {
            try readers[0].append([HashedText("b").entry])
        } throws: {
            ($0 as? EmbeddingCacheError)?.code == .readOnly
        }
        withExtendedLifetime(writer) {}
    }

    @Test func `can be written again when its writer has gone`() throws {
        for text in ["a", "b", "c"] {
            _ = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending).append([HashedText(text).entry])
        }
        #expect(try EmbeddingCacheFile(path: folder.file("cache"), for: .reading).count == 3)
    }

    @Test func `is read and added to by several threads at once`() async throws {
        let cache = try EmbeddingCacheFile(path: folder.file("cache"), for: .appending)
        await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        // Every text is added by two of the workers.
                        let text = HashedText("\(worker / 2) \(number)", numbers: 8)
                        try cache.append([text.entry])
                        #expect(cache.embedding(for: text.key) == text.embedding)
                    }
                }
            }
        }
        #expect(cache.count == 100)
        let reader = try EmbeddingCacheFile(path: folder.file("cache"), for: .reading)
        #expect(reader.count == 100)
        #expect(reader.notes.isEmpty)
    }
}
