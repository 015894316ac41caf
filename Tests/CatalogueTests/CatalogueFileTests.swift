import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import TestSupport
import Testing

@testable import Catalogue

@Suite("A catalogue's file") struct CatalogueFileTests {
    private static func line(_ id: String, _ title: String, provider: String = "catalogue") -> String {
        """
        {"id": "\(id)", "provider": "\(provider)", "type": "gift", "title": "\(title)", \
        "url": "https://a.example/\(id)", "currency": "USD"}
        """
    }

    private static func file(_ lines: [String]) throws(CatalogueFileError) -> CatalogueFile {
        try CatalogueFile(Array(lines.joined(separator: "\n").utf8), name: "things.jsonl")
    }

    private static func failure(_ lines: [String]) -> CatalogueFileError? {
        do throws(CatalogueFileError) {
            _ = try file(lines)
            return nil
        } catch {
            return error
        }
    }

    @Test func `that is missing or a folder is said to be missing`() {
        for path in ["/nonexistent/things.jsonl", "/"] {
            do throws(CatalogueFileError) {
                _ = try CatalogueFile(path: path)
                Issue.record("\(path) was read")
            } catch {
                #expect(error.code == .missing && error.file == path)
            }
        }
    }

    @Test func `that is a table is said to be one, and not each of its lines to be none`() throws {
        let folder = try ScratchFolder()
        let table = try folder.write("\u{FEFF}id,title\r\na,Map\r\nb,Tea\r\n", to: "shop.CSV")
        let error = #expect(throws: CatalogueFileError.self) { try CatalogueFile(path: table) }
        #expect(error?.code == .malformed && error?.problems.isEmpty == true)
        #expect(error?.message.contains("catalogue build") == true)
        let lines = try folder.write(Self.line("a", "Map") + "\n", to: "lines.csv")
        #expect(try CatalogueFile(path: lines).candidates.count == 1)
    }

    @Test func `tells every problem with its line`() {
        let failure = Self.failure([
            Self.line("a", "Map"), "", "{", #"{"id": "b", "provider": "nobody"}"#, "[]", Self.line("a", "Again"),
            Self.line("c", " "), "\u{FEFF}",
        ])
        #expect(failure?.code == .malformed)
        let lines = Set(failure?.problems.map { String($0.path.prefix { $0 != ":" && $0 != "," }) } ?? [])
        #expect(lines == ["line 3", "line 4", "line 5", "line 6", "line 7", "line 8"])
    }

    @Test func `without a line is a catalogue without items`() async throws {
        let file = try Self.file(["", "  ", "\r"])
        #expect(try await file.candidates(for: CatalogueScenes.query(["map"])).isEmpty)
    }

    @Test func `keeps the promise of a provider`() async throws {
        let fixture = try #require(try JudgedFixtures.all().first).fixture
        let lines = fixture.candidates.map { JSONWriter.text($0.json) }
        let file = try CatalogueFile(Array(lines.joined(separator: "\r\n").utf8), name: "things.jsonl")
        #expect(file.candidates == fixture.candidates)
        let query = CatalogueScenes.query(fixture.candidates.prefix(20).map(\.title), .firecrawl)
        try await CandidateProviderContract.verify(file, answering: query)
    }

    @Test func `is searched by words, the best first`() async throws {
        let file = try Self.file([
            Self.line("a", "Opera night"), Self.line("b", "Garden kneeler"), Self.line("c", "Gardens of Kyoto, a book"),
            Self.line("d", "Garden chair", provider: "amazon"),
        ])
        let phrases = ["kneeler for the garden"]
        let found = try await file.candidates(for: CatalogueScenes.query(phrases, limit: 2))
        #expect(found.map(\.id.text) == ["b", "c"])
        // Where the answer has room for all there is, what shares no word comes last.
        let all = try await file.candidates(for: CatalogueScenes.query(phrases))
        #expect(all.map(\.id.text) == ["b", "c", "a"])
        #expect(try await file.candidates(for: CatalogueScenes.query([])).count == 3)
    }

    @Test func `is searched by meaning as soon as its items have vectors of the embedder's model`() async throws {
        let plain = try Self.file([
            Self.line("a", "Opera night"), Self.line("b", "Kneeler"), Self.line("c", "Bad knees"),
        ])
        let query = CatalogueScenes.query(["bad knees"], limit: 2)
        let embedder = AxisEmbedder(model: "m", axes: ["bad knees": 3, "Kneeler": 3, "Opera night": 4])
        let vectors = try await embedder.embeddings(of: plain.texts)
        let file = try plain.with(vectors, model: "m", name: "things.jsonl")
        #expect(file.indexed.count == 3 && file.indexed.vectorCount == 2, "one text has no direction")
        #expect(try await file.candidates(for: query, embedder: embedder).map(\.id.text) == ["b", "c"])
        // Without its model there are words.
        for other in [nil, AxisEmbedder(model: "other", axes: ["bad knees": 3])] {
            #expect(try await file.candidates(for: query, embedder: other).map(\.id.text) == ["c"])
        }
        let down = AxisEmbedder(model: "m", axes: [:], isDown: true)
        #expect(try await file.candidates(for: query, embedder: down).map(\.id.text) == ["c"])
    }

    @Test func `offers whose ids differ in their bytes alone are both found`() throws {
        let file = try Self.file([Self.line("caf\u{E9}", "A cup"), Self.line("cafe\u{301}", "A pot")])
        #expect(ProviderQuery.joined([file.candidates, file.candidates], limit: 9).map(\.title) == ["A cup", "A pot"])
    }
}
