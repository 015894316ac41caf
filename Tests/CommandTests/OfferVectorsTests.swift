import Composition
import Console
import Fixtures
import Foundation
import KnotDomain
import PipelineInput
import Recommendation
import TestSupport
import Testing
import TextEncoding
import TextReading
import VectorSearch

@testable import knot_recommend

/// What a run keeps of the embeddings of offers, and that no result shows whether it did.
@Suite("Vectors of offers", .onOwnThreads) struct OfferVectorsTests {
    private static let fixture = Repository.root.appending(path: "fixtures/vaults/dev-01.json").path
    /// The default model's folder; set-up puts it there, so its absence is a failure and no reason to skip.
    private static let model = Result {
        try ModelSearch(environment: ProcessInfo.processInfo.environment).directory()
    }

    private static func run(
        cache: String,
        _ words: [String] = []
    ) async throws -> (code: ExitCode, output: String, errors: String) {
        let environment = ["KNOT_MODEL": try model.get(), "KNOT_CACHE": cache, "HOME": "/nonexistent"]
        let (output, errors) = (MemorySink(), MemorySink())
        let tool = CommandTool(environment: Environment(environment), output: output, diagnostics: errors)
        let code = await tool.run(["run", "--fixture", fixture, "--deadline", "60s"] + words)
        return (code, output.text, errors.text)
    }

    private static func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }

    @Test func `are made once, those of offers and the vocabulary alone, and no run shows it`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("offers.knot")
        let first = try await Self.run(cache: folder.path)
        #expect(first.code == .done && first.errors.isEmpty, "\(first.errors)")
        let kept = try Self.bytes(path)
        let again = try await Self.run(cache: folder.path)
        #expect(again == first)
        #expect(try Self.bytes(path) == kept)

        let encoder = try Encoder(directory: try Self.model.get())
        let file = try EmbeddingCacheFile(path: path, for: .reading)
        func has(_ text: String) -> Bool {
            file.embedding(for: EmbeddingKey(model: encoder.model, variant: encoder.kernels, text: text)) != nil
        }
        let found = try FixtureLoader().load(Self.fixture)
        #expect(found.fixture.candidates.count { has(MeaningText.of($0)) } > 20)
        #expect(Prototypes.shared.texts.allSatisfy { has(MeaningText.of(phrase: $0)) })
        let vault = found.fixture.vault
        let asOf = try #require(found.fixture.asOf)
        let reading = try await found.reader.reading(of: vault, tier: .majorMilestone, asOf: asOf)
        let phrases = reading.hints.flatMap { $0.serves + $0.avoid }
        #expect(phrases.count > 20)
        for text in phrases + vault.hints.map(\.text) { #expect(!has(MeaningText.of(phrase: text)), "\(text)") }
    }

    /// A vector that no model made shows that it was taken from the file.
    @Test func `are taken from the file, by the kernels that made them`() async throws {
        let folder = try ScratchFolder()
        let encoder = try Encoder(directory: try Self.model.get())
        let odd = try #require(Embedding([1] + [Float](repeating: 0, count: 767), model: encoder.model))
        let file = try EmbeddingCacheFile(path: folder.file("offers.knot"), for: .appending)
        func key(_ variant: String, _ text: String) -> EmbeddingKey {
            EmbeddingKey(model: encoder.model, variant: variant, text: text)
        }
        try file.append([(key(encoder.kernels, "a cup"), odd), (key("others", "a hat"), odd)])
        let cache = EmbeddingCache(file: file)
        let embedder = EncoderEmbedder(encoder, cache: cache, filing: .offers(and: ["a map"]))
        let found = try await embedder.embeddings(of: ["a cup", "a hat", "her cup", "a map"], offers: 2)
        #expect(found[0] == odd && found[1...].allSatisfy { $0 != odd })
        #expect(cache.counts.misses == 3)
        for (text, isKept) in [("a hat", true), ("her cup", false), ("a map", true)] {
            #expect((file.embedding(for: key(encoder.kernels, text)) != nil) == isKept, "\(text)")
        }
    }

    @Test func `are read by a dry run, which adds none`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("offers.knot")
        let dry = try await Self.run(cache: folder.path, ["--dry-run"])
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try EmbeddingCacheFile(path: path, for: .appending)
        let empty = try Self.bytes(path)
        #expect(try await Self.run(cache: folder.path, ["--dry-run"]) == dry)
        #expect(try Self.bytes(path) == empty)
        #expect(try await Self.run(cache: folder.path).output == dry.output)
        #expect(try Self.bytes(path).count > 100_000)
    }

    @Test func `are the owner's alone to read`() async throws {
        let folder = try ScratchFolder()
        let cache = folder.file("cache")
        _ = try await Self.run(cache: cache)
        for (path, mode) in [(cache, 0o700), (cache + "/offers.knot", 0o600)] {
            let found = try FileManager.default.attributesOfItem(atPath: path)
            #expect(found[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test func `are made anew where there is no place to keep them, or another file is there, and it is said`()
        async throws
    {
        let folder = try ScratchFolder()
        let sound = try await Self.run(cache: folder.file("sound"))
        let nowhere = try await Self.run(cache: "/dev/null/cache")
        #expect(nowhere.code == .done && nowhere.output == sound.output)
        #expect(nowhere.errors.contains("/dev/null/cache/offers.knot"), "\(nowhere.errors)")
        let path = try folder.write("something else", to: "offers.knot")
        let other = try await Self.run(cache: folder.path)
        #expect(other.code == .done && other.output == sound.output)
        #expect(other.errors.contains(path) && other.errors.contains("for this run only"), "\(other.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "something else")
    }

    @Test func `that are being written by another process are read meanwhile, and none are added`() async throws {
        let folder = try ScratchFolder()
        let sound = try await Self.run(cache: folder.path)
        let kept = try Self.bytes(folder.file("offers.knot"))
        // The run in this process lets its file go a moment after its end.
        var writer: EmbeddingCacheFile?
        try await LastResort.wait {
            writer = try? EmbeddingCacheFile(path: folder.file("offers.knot"), for: .appending)
            return writer != nil
        }
        #expect(try await Self.run(cache: folder.path) == sound)
        #expect(try Self.bytes(folder.file("offers.knot")) == kept)
        withExtendedLifetime(writer) {}
    }

    /// Damage anywhere costs at most an encoding.
    @Test func `that are damaged are made anew`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("offers.knot")
        let sound = try await Self.run(cache: folder.path)
        var bytes = try Self.bytes(path)
        for place in stride(from: 1_000, to: bytes.count, by: 3_001) { bytes[place] ^= 0x40 }
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try await Self.run(cache: folder.path).output == sound.output)
    }

    @Test func `are no place for any other output`() async throws {
        let folder = try ScratchFolder()
        for name in ["offers.knot", "vocabulary.knot", "embeddings.knot"] {
            let path = folder.file(name)
            let found = try await Self.run(cache: folder.path, ["--record", path])
            #expect(found.code == .usage && found.errors.contains(name), "\(found.errors)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
