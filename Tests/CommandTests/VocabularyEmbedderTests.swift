import Foundation
import HintRules
import JSONDocument
import KnotDomain
import Recommendation
import TestSupport
import Testing
import TextEncoding
import TextReading

@testable import Composition

/// What is kept of embeddings where a vault of the database is run.
@Suite("Vectors of the vocabulary", .onOwnThreads) struct VocabularyEmbedderTests {
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

    /// Which of them a vault is served by tells of the vault: all are there, or only those that are there anyway.
    @Test func `of the rules' tables are made all at once, and a run adds none of them`() async throws {
        let encoder = try Self.encoder.get()
        let folder = try ScratchFolder()
        let path = folder.file("vocabulary.knot")
        let phrases = VocabularyEmbedder.everything.subtracting(VocabularyEmbedder.texts).sorted()
        #expect(phrases.count > 1_500)
        let texts = Array(phrases.prefix(4)) + Self.own
        let plain = try await EncoderEmbedder(encoder, cache: EmbeddingCache()).embeddings(of: texts)
        func known(_ texts: [String]) throws -> Int {
            let file = try EmbeddingCacheFile(path: path, for: .reading)
            return texts.count { file.embedding(for: EmbeddingKey(model: encoder.model, text: $0)) != nil }
        }
        func embedder() throws -> VocabularyEmbedder {
            VocabularyEmbedder(encoder, file: try EmbeddingCacheFile(path: path, for: .appending), profile: nil)
        }
        #expect(try await embedder().embeddings(of: texts) == plain)
        #expect(try known(phrases) == 0)
        try await embedder().learn()
        #expect(try known(phrases) == phrases.count)
        #expect(try await embedder().embeddings(of: texts) == plain)
        #expect(try known(Self.own) == 0)
    }

    /// A catalogue is searched for what of a phrase anybody may know, which spells many of them otherwise.
    @Test func `hold what a catalogue is searched for where a rule's phrase serves`() throws {
        let path = Repository.root.appending(path: "fixtures/vaults/dev-01.json")
        let document = try JSONParser.parse(Array(try Data(contentsOf: path)))
        var member = try #require(document["vault"]?.object)
        // Without any name, which is left out of every phrase.
        (member["partner_name"], member["hints"]) = ("Xyz", [])
        let filter = PublicPhrases(try #require(Vault(reading: JSONReader(.object(member)))))
        let asked = RulesReader.phrases.compactMap { filter.phrase($0) }.map(MeaningText.of(phrase:))
        let strange = Set(asked).subtracting(VocabularyEmbedder.everything).subtracting([""])
        #expect(strange.isEmpty, "\(strange.sorted())")
        #expect(asked.contains("caffeine free tea") && !RulesReader.phrases.contains("caffeine free tea"))
    }
}
