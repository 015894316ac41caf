import Foundation
import Recommendation
import TestSupport
import Testing
import TextEncoding

@testable import Composition

/// What is kept of embeddings where a vault of the database is run.
@Suite("Vectors of the vocabulary") struct VocabularyEmbedderTests {
    private static let own = ["the cup her grandmother mended with gold", "no more lilies, they make her sneeze"]
    /// The default model's encoder; set-up puts it there, so its absence is a failure and no reason to skip.
    private static let encoder = Result {
        try Encoder(directory: ModelSearch(environment: ProcessInfo.processInfo.environment).directory(), threads: 2)
    }

    @Test func `outlive the process, a vault's own words never do, and every text has its vector in its place`()
        async throws
    {
        let encoder = try Self.encoder.get()
        let folder = try ScratchFolder()
        let path = folder.file("vocabulary.knot")
        let words = VocabularyEmbedder.texts.sorted().prefix(3)
        #expect(words.count == 3)
        let texts = [words[0], Self.own[0], words[1], words[2], Self.own[1], words[0]]
        let plain = try await EncoderEmbedder(encoder, cache: EmbeddingCache()).embeddings(of: texts)
        for round in 1...2 {
            let file = try EmbeddingCacheFile(path: path, for: .appending)
            let found = try await VocabularyEmbedder(encoder, file: file, profile: nil).embeddings(of: texts)
            #expect(found == plain, "round \(round)")
        }
        let file = try EmbeddingCacheFile(path: path, for: .reading)
        for word in words {
            #expect(file.embedding(for: EmbeddingKey(model: encoder.model, variant: "", text: word)) != nil)
        }
        for text in Self.own {
            #expect(file.embedding(for: EmbeddingKey(model: encoder.model, variant: "", text: text)) == nil)
        }
    }
}
