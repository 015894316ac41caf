import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

@testable import Catalogue

/// Searches that have too little time, or a part of the catalogue that fails.
@Suite("A search of a catalogue on the disk that is overdue") struct SearchTimeTests {
    /// Offers of seven segments.
    private static func snapshot(_ folder: String) throws -> (CatalogueSnapshot, [CatalogueIndex.Phrase]) {
        var invented = InventedCatalogue(seed: 21)
        let writer = try CatalogueWriter(folder: folder, segmentItems: 60)
        try writer.add(invented.items(0..<420))
        try writer.commit()
        return (try CatalogueSnapshot(folder: folder), invented.phrases(4))
    }

    @Test func `finds something, says how much it did not look at, and no more than there was time for`() throws {
        let scratch = try ScratchFolder()
        let (snapshot, phrases) = try Self.snapshot(scratch.path)
        var query = SnapshotQuery(phrases)
        query.time = SearchTime(until: .now - .seconds(1))
        let late = try snapshot.search(query)
        #expect(!late.hits.isEmpty && late.hits.allSatisfy { $0.segment == 0 })
        #expect(late.unsearched == 360 && late.byWordsAlone == 60)
        query.time = SearchTime(until: .now + .seconds(3_600))
        let whole = try snapshot.search(query)
        #expect(whole.unsearched == 0 && whole.byWordsAlone == 0)
        query.time = nil
        #expect(try whole.hits.map(\.ordinal) == snapshot.search(query).hits.map(\.ordinal))
    }

    @Test func `by a provider is an answer that falls short, for every provider of the run`() async throws {
        let scratch = try ScratchFolder()
        let (snapshot, phrases) = try Self.snapshot(scratch.path)
        let provider = SnapshotProvider(snapshot, embedder: nil)
        for name in [ProviderName.amazon, .yelp] {
            var query = CatalogueScenes.query(phrases.map(\.text), name)
            query.answerBy = .now - .seconds(1)
            #expect(try await !provider.candidates(for: query).isEmpty)
            let told = query.shortfalls.sentences
            #expect(told == ["there was no time to search 360 of 420 offers, and 60 more by meaning"])
        }
    }

    /// Has something, or fails.
    private struct Shop: CandidateProvider {
        let capabilities = ProviderCapability.wellKnown
        var ids: [String] = []
        var title = "Map"
        var failure: StageFailure?

        func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
            if let failure { throw failure }
            return ids.map { .invented($0, title, provider: .catalogue) }
        }
    }

    private static let down = StageFailure(.provider, code: "down", "the shop is closed")

    @Test func `where one part fails, the others are the answer, which says so`() async throws {
        let query = CatalogueScenes.query(["map"], limit: 3)
        let found = try await query.answer(of: [
            Shop(ids: ["a", "b"]), Shop(failure: Self.down), Shop(ids: ["b", "c", "d"]), Shop(ids: ["e"]),
        ])
        #expect(found.map(\.id.text) == ["a", "c", "e"])
        #expect(query.shortfalls.sentences == ["a part of the catalogue was left out: the shop is closed"])
    }

    @Test func `what has the id of another thing that came before is left out, and said to be`() async throws {
        let query = CatalogueScenes.query(["map"])
        let found = try await query.answer(of: [
            Shop(ids: ["a", "b"]), Shop(ids: ["b", "c"]), Shop(ids: ["b", "c", "d"], title: "Sea map"),
        ])
        #expect(found.map(\.id.text) == ["a", "b", "c", "d"])
        let told = "offers were left out since others that came before have their ids: 2"
        #expect(query.shortfalls.sentences == [told])
    }

    @Test func `where nothing comes of any part, or a run is told to stop, it is the failure`() async throws {
        let query = CatalogueScenes.query(["map"])
        let stopped = StageFailure(.cancelled, code: "cancelled", "stop")
        await #expect(throws: Self.down) { try await query.answer(of: [Shop(failure: Self.down), Shop()]) }
        await #expect(throws: stopped) { try await query.answer(of: [Shop(ids: ["a"]), Shop(failure: stopped)]) }
        #expect(try await query.answer(of: [Shop(), Shop()]).isEmpty && query.shortfalls.sentences.isEmpty)
    }
}
