import Foundation
import Testing
import VectorSearch

@testable import TextEncoding

/// What becomes of the file when a writing process comes to an end it did not choose; each in a process of its own.
@Suite("The writer of a file of cached embeddings")
struct EmbeddingCacheEndingTests {
    private static let batch = 200
    private let folder: CacheFolder

    init() throws { folder = try CacheFolder() }

    /// The texts that are written one batch after another.
    static func text(_ number: Int) -> HashedText { HashedText("text \(number)", numbers: 768) }

    /// Adds batches until something ends it, and writes behind each how many texts are acknowledged.
    static func write(to path: String) throws {
        let cache = try EmbeddingCacheFile(path: path, for: .appending)
        // Made before, so that the time is spent with writing.
        var batches = (0..<20).map { batch in (batch * Self.batch..<(batch + 1) * Self.batch).map { text($0).entry } }
        _ = FileManager.default.createFile(atPath: path + ".ready", contents: nil)
        let acknowledged = unsafe open(path + ".acknowledged", O_WRONLY | O_CREAT, 0o600)
        while true {
            for (number, batch) in batches.enumerated() {
                try cache.append(batch)
                var count = Int64((number + 1) * Self.batch)
                _ = unsafe pwrite(acknowledged, &count, 8, 0)
            }
            batches = []
        }
    }

    @Test(arguments: [200, 900, 2_000, 3_500, 5_000, 8_000, 12_000, 20_000])
    func `that is killed loses at most the record it was writing`(microseconds: Int) async throws {
        let path = folder.file("cache")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, microseconds = microseconds as Int] in
            // Another thread kills, since this one goes on to write.
            Thread.detachNewThread {
                while !FileManager.default.fileExists(atPath: path + ".ready") { usleep(100) }
                usleep(UInt32(microseconds))
                kill(getpid(), SIGKILL)
            }
            try EmbeddingCacheEndingTests.write(to: path)
        }
        let size = try folder.bytes("cache").count
        let acknowledged = try? folder.bytes("cache.acknowledged")
        let least = acknowledged.map { $0.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) } } ?? 0
        let cache = try EmbeddingCacheFile(path: path, for: .appending)
        #expect(cache.count >= least)
        for number in 0..<cache.count {
            #expect(cache.embedding(for: Self.text(number).key) == Self.text(number).embedding)
        }
        #expect(try size - folder.bytes("cache").count < 64 + 768 * 4)
        try cache.append([Self.text(100_000).entry])
        #expect(try EmbeddingCacheFile(path: path, for: .reading).count == cache.count)
    }

    @Test func `whose disk is full keeps what was complete, says so and can go on when there is room`() async throws {
        let path = folder.file("cache")
        await #expect(processExitsWith: .success) { [path = path as String] in
            // A file that may not grow beyond a size gives the same answer as a disk without room.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 64 + 80 + 10 * (64 + 768 * 4) + 1_000, rlim_max: .max)
            guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(1) }
            let file = try EmbeddingCacheFile(path: path, for: .appending)
            let cache = EmbeddingCache(limit: 100, file: file)
            let texts = (0..<12).map(EmbeddingCacheEndingTests.text)
            cache.insert(texts.prefix(4).map(\.entry))
            guard cache.notes.isEmpty else { exit(2) }
            cache.insert(texts.dropFirst(4).map(\.entry))
            guard cache.notes.count == 1, cache.notes[0].contains("The run goes on without") else { exit(3) }
            cache.insert(texts.map(\.entry))
            guard cache.notes.count == 1, file.count == 10 else { exit(4) }
            guard texts.allSatisfy({ cache.embedding(for: $0.key) == $0.embedding }) else { exit(5) }
            do throws(EmbeddingCacheError) {
                try file.append(texts.map(\.entry))
                exit(6)
            } catch {
                guard error.code == .unwritable, error.description.contains("too large") else { exit(7) }
            }
            exit(0)
        }
        let cache = try EmbeddingCacheFile(path: path, for: .appending)
        #expect(cache.notes.isEmpty)
        #expect(cache.count == 10)
        try cache.append((0..<12).map { Self.text($0).entry })
        for number in 0..<12 { #expect(cache.embedding(for: Self.text(number).key) == Self.text(number).embedding) }
    }

    @Test func `of another process keeps everybody else from writing until it ends`() async throws {
        let path = folder.file("cache")
        let writer = try EmbeddingCacheFile(path: path, for: .appending)
        await #expect(processExitsWith: .success) { [path = path as String] in
            do throws(EmbeddingCacheError) {
                _ = try EmbeddingCacheFile(path: path, for: .appending)
                exit(1)
            } catch {
                exit(error.code == .inUse ? 0 : 2)
            }
        }
        withExtendedLifetime(writer) {}
    }
}
