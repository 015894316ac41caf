import JSONDocument
import KnotDomain
import TestSupport
import Testing

@testable import Catalogue
@testable import Recommendation

/// Where a catalogue holds many more offers that fit the phrases than a pool has room for, the pool is of those that may be
/// shown.
@Suite("A pool with little room") struct FullPoolTests {
    /// What is wrong with most offers.
    enum Flaw: String, CaseIterable, Sendable {
        case unknownDelivery, dayAfter, shownBefore, disliked, tooDear, rejected
    }

    private static let right = (0..<6).map { "right-\($0)" }

    private static func scene(_ flaw: Flaw, _ wrong: [Candidate]) -> (scene: Scene, refresh: RefreshRequest?) {
        var scene = Scene([])
        scene.likes = ["Star maps"]
        scene.dislikes = ["Wine"]
        scene.celebrate("2000-03-03")
        guard flaw == .rejected else {
            if flaw == .shownBefore {
                for candidate in wrong {
                    scene.remember(candidate.title, merchant: candidate.merchant, url: candidate.url)
                }
            }
            return (scene, nil)
        }
        let rejections = wrong.map { candidate in
            Rejection(
                candidateID: candidate.id,
                type: .gift,
                title: "Something else",
                description: nil,
                merchant: nil,
                url: "https://other.example/\(candidate.id)",
                budgetCents: nil,
                reason: .showDifferent,
                isRejected: true
            )
        }
        return (scene, RefreshRequest(round: 1, rejections: rejections))
    }

    /// Many that are called just what is searched for and have the flaw, and behind them a few without it.
    private static func offers(_ flaw: Flaw, _ count: Int) -> [Candidate] {
        let wrong = (0..<count).map { number in
            Candidate.invented(
                "wrong-\(number)",
                flaw == .disliked ? "Star map for wine \(number)x" : "Star map \(number)x",
                provider: .firecrawl,
                type: flaw == .dayAfter ? .experience : .gift,
                price: flaw == .tooDear ? 900_000 : 8_000,
                startsAt: flaw == .dayAfter ? "2026-03-04T20:00:00Z" : nil,
                ships: flaw == .unknownDelivery || flaw == .dayAfter ? nil : 1
            )
        }
        let plain = (0..<60).map { "lorem\($0)" }.joined(separator: " ")
        return wrong
            + right.enumerated().map { number, id in
                Candidate.invented(
                    id,
                    "Atlas of one star no\(number)",
                    provider: .firecrawl,
                    description: plain,
                    ships: 1
                )
            }
    }

    private static func rules(_ flaw: Flaw, _ offers: [Candidate]) async throws -> OfferRules {
        let (scene, refresh) = scene(flaw, offers.filter { $0.id.text.hasPrefix("wrong") })
        return try #require(try await scene.rules(refresh: refresh))
    }

    private static func query(_ rules: OfferRules?, limit: Int) -> ProviderQuery {
        CatalogueScenes.query(["Star maps"], .firecrawl, limit: limit, rules: rules)
    }

    @Test(arguments: Flaw.allCases)
    func `of a folder is of what may be shown`(flaw: Flaw) async throws {
        let scratch = try ScratchFolder()
        let offers = Self.offers(flaw, 700)
        let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 256)
        try writer.add(offers.map { CatalogueItem($0) })
        try writer.commit()
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        func found(_ rules: OfferRules?) async throws -> Set<String> {
            let provider = SnapshotProvider(snapshot, embedder: nil, pool: 60)
            return Set(try await provider.candidates(for: Self.query(rules, limit: 2_000)).map(\.id.text))
        }
        #expect(try await found(nil).isDisjoint(with: Self.right))
        #expect(try await found(Self.rules(flaw, offers)).isSuperset(of: Self.right))
    }

    @Test(arguments: Flaw.allCases)
    func `of a file is of what may be shown`(flaw: Flaw) async throws {
        let offers = Self.offers(flaw, 300)
        let lines = offers.map { JSONWriter.text($0.json) }.joined(separator: "\n")
        let file = try CatalogueFile(Array(lines.utf8), name: "offers.jsonl")
        func found(_ rules: OfferRules?) async throws -> [String] {
            try await file.candidates(for: Self.query(rules, limit: 60)).map(\.id.text)
        }
        #expect(try await Set(found(nil)).isDisjoint(with: Self.right))
        let best = try await found(Self.rules(flaw, offers))
        // Behind them is as much of the others as there is room for, so that a run can say what is wrong with them.
        #expect(best.count == 60 && Set(best.prefix(6)) == Set(Self.right))
    }

    /// Many that fit the phrases and have the flaw, and between others that fit none, three without it.
    private static func strangers(_ flaw: Flaw) -> (offers: [Candidate], right: Set<String>) {
        let wrong = offers(flaw, 700).filter { !right.contains($0.id.text) }
        let fine = (0..<3).map { Candidate.invented("fine-\($0)", "Zither no\($0)", provider: .firecrawl, ships: 1) }
        let dear = (0..<400).map {
            Candidate.invented("dear-\($0)", "Kettle no\($0)", provider: .firecrawl, price: 900_000, ships: 1)
        }
        return (wrong + dear + fine + dear.map { $0.renamed("\($0.id)-more") }, Set(fine.map(\.id.text)))
    }

    @Test(arguments: Flaw.allCases)
    func `has what may be shown even where it fits no phrase, in a folder and in a file`(flaw: Flaw) async throws {
        let scratch = try ScratchFolder()
        let (offers, right) = Self.strangers(flaw)
        let rules = try await Self.rules(flaw, offers)
        let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 256)
        try writer.add(offers.map { CatalogueItem($0) })
        try writer.commit()
        let folder = SnapshotProvider(try CatalogueSnapshot(folder: scratch.path), embedder: nil, pool: 60)
        let lines = offers.map { JSONWriter.text($0.json) }.joined(separator: "\n")
        let file = try CatalogueFile(Array(lines.utf8), name: "offers.jsonl")
        for provider in [folder, file] as [any CandidateProvider] {
            let found = try await provider.candidates(for: Self.query(rules, limit: 60)).map(\.id.text)
            #expect(Set(found).isSuperset(of: right), "\(type(of: provider))")
            #expect(found.count >= 24 && Set(found).count == found.count)
        }
    }

    /// What a provider of a folder and of a file of the same offers find, each with room for so many.
    private static func both(
        _ offers: [Candidate],
        room: Int,
        _ body: (String, any CandidateProvider) async throws -> Void
    ) async throws {
        let scratch = try ScratchFolder()
        let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 256)
        try writer.add(offers.map { CatalogueItem($0) })
        try writer.commit()
        try await body(
            "a folder",
            SnapshotProvider(try CatalogueSnapshot(folder: scratch.path), embedder: nil, pool: room)
        )
        let lines = offers.map { JSONWriter.text($0.json) }.joined(separator: "\n")
        try await body("a file", try CatalogueFile(Array(lines.utf8), name: "offers.jsonl"))
    }

    @Test func `has what may be shown of each provider, however much of another fits`() async throws {
        let fits = (0..<100).map { Candidate.invented("f-\($0)", "Star map no\($0)", provider: .firecrawl, ships: 1) }
        let others = (0..<40).map { Candidate.invented("o-\($0)", "Zither no\($0)", provider: .shopify, ships: 1) }
        let rules = try await Self.rules(.tooDear, [])
        try await Self.both(fits + others, room: 60) { name, provider in
            let found = try await provider.candidates(
                for: CatalogueScenes.query(["Star maps"], .shopify, limit: 60, rules: rules)
            )
            #expect(found.count >= 24 && found.allSatisfy { $0.provider == .shopify }, "\(name)")
            let fitting = try await provider.candidates(for: Self.query(rules, limit: 60))
            #expect(fitting.count == 60 && fitting.allSatisfy { $0.title.hasPrefix("Star map") }, "\(name)")
        }
    }

    @Test func `leaves nothing out where there is room for all there is`() async throws {
        let fits = (0..<30).map { Candidate.invented("f-\($0)", "Star map no\($0)", provider: .firecrawl, ships: 1) }
        let others = (0..<3).map { Candidate.invented("o-\($0)", "Zither no\($0)", provider: .firecrawl, ships: 1) }
        let rules = try await Self.rules(.tooDear, [])
        try await Self.both(others + fits, room: 60) { name, provider in
            let found = try await provider.candidates(for: Self.query(rules, limit: 60))
            #expect(found.count == 33 && Set(found.suffix(3).map(\.id)) == Set(others.map(\.id)), "\(name)")
        }
    }

    @Test func `is not filled with what fits no phrase where enough fits one`() async throws {
        let fine = (0..<30).map { Candidate.invented("fine-\($0)", "Star map no\($0)", provider: .firecrawl, ships: 1) }
        let others = (0..<90).map { Candidate.invented("o-\($0)", "Kettle no\($0)", provider: .firecrawl, ships: 1) }
        let file = try CatalogueFile(
            Array((others + fine).map { JSONWriter.text($0.json) }.joined(separator: "\n").utf8),
            name: "offers.jsonl"
        )
        let rules = try await Self.rules(.tooDear, [])
        let found = try await file.candidates(for: Self.query(rules, limit: 60))
        #expect(Set(found.map(\.id)) == Set(fine.map(\.id)))
    }

    @Test func `of more candidates than are wanted has the first that pass, whatever stands between them`() throws {
        let offers = (0..<40).map {
            Candidate.invented("o\($0)", "Map", price: [100, 8_000, 16_000, 40_000][$0 % 4], ships: $0 % 5)
        }
        var filter = CatalogueFilter()
        filter.totals = { _ in 8_000...20_000 }
        filter.mostShippingDays = 3
        filter.without = [CandidateID("o1")]
        var ready = CandidateFilter(filter)
        let naive = NaiveSearch(items: [])
        for offer in offers {
            let isAllowed = ready.allows(offer)
            #expect(isAllowed == naive.passes(offer, filter), "\(offer.id)")
        }
    }

    @Test func `of several sources has each one's share`() {
        func list(_ name: String, _ count: Int) -> [Candidate] {
            (0..<count).map { Candidate.invented("\(name)\($0)", "Map") }
        }
        func ids(_ counts: Int..., limit: Int) -> [String] {
            let lists = zip(["a", "b", "c"], counts).map { list($0, $1) }
            return ProviderQuery.joined(lists, limit: limit).map(\.id.text)
        }
        #expect(ids(9, 2, limit: 20) == (0..<9).map { "a\($0)" } + ["b0", "b1"])
        #expect(ids(9, 2, limit: 6) == ["a0", "a1", "a2", "a3", "b0", "b1"])
        #expect(ids(9, 9, limit: 5) == ["a0", "a1", "a2", "b0", "b1"])
        #expect(ids(9, 9, 9, limit: 2) == ["a0", "b0"])
        #expect(ids(0, 0, limit: 2) == [] && ids(3, limit: 0) == [])
        #expect(
            ProviderQuery.joined([list("a", 2), list("a", 4)], limit: 9).map(\.id.text) == ["a0", "a1", "a2", "a3"]
        )
    }
}

extension Candidate {
    fileprivate func renamed(_ name: String) -> Candidate {
        .invented(name, title, provider: provider, price: priceCents, ships: shipsInDays)
    }
}
