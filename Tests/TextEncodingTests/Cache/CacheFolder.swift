import Foundation
import Synchronization
import VectorSearch

@testable import TextEncoding

/// A folder of its own for each test, gone with it.
final class CacheFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A folder that cannot be removed is the system's to clear; the test has said what it had to say.
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: file(name)))) }

    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: file(name))) }

    /// A file with these texts, one append for each.
    func filled(_ name: String, _ texts: [String], numbers: Int = 4) throws -> [UInt8] {
        let cache = try EmbeddingCacheFile(path: file(name), for: .appending)
        for text in texts { try cache.append([HashedText(text, numbers: numbers).entry]) }
        return try bytes(name)
    }
}

extension EmbeddingCacheFile {
    /// How many embeddings it has.
    var count: Int { state.withLock { $0.index.places.count } }

    /// The models it has embeddings of, in order of their names.
    var models: [String] { state.withLock { $0.index.models.values.sorted() } }
}
