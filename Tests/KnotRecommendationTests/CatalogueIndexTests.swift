import Foundation
import KnotRecommendation
import Testing

/// A server's own search of its own offers, by words and by meaning.
@Suite("An index of the library") struct CatalogueIndexTests {
    @Test func `refuses no offers, one id for two, and vectors that do not fit, by their places`() throws {
        let stock = Stock(seed: 1, count: 3)
        let folder = try Folder()
        defer { folder.remove() }
        let offers = try stock.offers()
        func problem(_ indexed: [IndexedOffer]) -> RecommenderError? {
            #expect(throws: RecommenderError.self) { try CatalogueIndex(indexed, folder: folder.path) }
        }
        let none = problem([])
        #expect(none?.code == .offer && none?.description.hasPrefix("offers: ") == true)
        let twice = problem([offers[0], offers[1], offers[0]])
        #expect(twice?.code == .offer && twice?.description.hasPrefix("offers[2].id: ") == true)
        let strangers: [(values: [Float], model: String)] = [
            ([1, 2], "m"), ([.nan, 1, 1, 1], "m"), ([0, 0, 0, 0], "m"), ([1, 1, 1, 1], "n"),
        ]
        for vector in strangers {
            let strange = IndexedOffer(offers[2].offer, vector: MeaningVector(vector.values, model: vector.model))
            let first = IndexedOffer(offers[0].offer, vector: MeaningVector([1, 0, 0, 1], model: "m"))
            let error = problem([first, offers[1].withoutVector, strange])
            #expect(error?.code == .offer && error?.description.hasPrefix("offers[2].vector: ") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path), "what was refused has made nothing")
    }

    @Test func `refuses searches that say nothing, by their places`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let index = try CatalogueIndex(try Stock(seed: 2, count: 9).offers(), folder: folder.path)
        let garden = SearchPhrase("garden")
        let short = SearchPhrase("garden", vector: MeaningVector([1], model: "m"))
        let blind = SearchPhrase("garden", vector: MeaningVector([.nan, 1, 1, 1], model: "m"))
        let foreign = SearchPhrase("garden", vector: MeaningVector([1, 1, 1, 1], model: "n"))
        let dear = OfferFilter(total: OfferFilter.Window(0...1, currency: "dollars"))
        for (search, place) in [
            (OfferSearch([garden], limit: 0), "limit"), (OfferSearch([garden], limit: 1_001), "limit"),
            (OfferSearch([]), "phrases"), (OfferSearch([garden, short]), "phrases[1].vector"),
            (OfferSearch([blind]), "phrases[0].vector"), (OfferSearch([foreign]), "phrases[0].vector"),
            (OfferSearch([garden], filter: dear), "filter.total.currency"),
        ] {
            let error = #expect(throws: RecommenderError.self) { try index.search([OfferSearch([garden]), search]) }
            #expect(error?.code == .search && error?.description.hasPrefix("searches[1].\(place): ") == true)
        }
        let other = try Folder()
        defer { other.remove() }
        let byWords = try CatalogueIndex(
            try Stock(seed: 2, count: 9).offers().map(\.withoutVector),
            folder: other.path
        )
        let error = #expect(throws: RecommenderError.self) { try byWords.search(OfferSearch([foreign])) }
        #expect(error?.code == .search)
    }

    @Test func `says which folder it cannot use`() throws {
        let offers = try Stock(seed: 3, count: 2).offers()
        let folder = try Folder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: folder.path + "/letter.txt"))
        for path in [folder.path, folder.path + "/not/there"] {
            let error = #expect(throws: RecommenderError.self) { try CatalogueIndex(offers, folder: path) }
            #expect(error?.code == .catalogue && error?.description.contains(path) == true)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `ranks by meaning as comparing with every offer does`(seed: UInt64) throws {
        var stock = Stock(seed: seed, count: 150)
        let folder = try Folder()
        defer { folder.remove() }
        let index = try CatalogueIndex(try stock.offers(), folder: folder.path)
        for _ in 0..<5 {
            let query = stock.vector()
            // A word that no offer has: half of the score is the cosine's alone.
            let phrase = SearchPhrase("zzyzx", vector: MeaningVector(query, model: "m"))
            let hits = try index.search(OfferSearch([phrase], limit: 150))
            let cosines = stock.rows.map { $0.vector.map { Stock.cosine($0, query) } }
            let known = cosines.compactMap(\.self)
            let (least, most) = (try #require(known.min()), try #require(known.max()))
            let expected = cosines.indices.filter { (cosines[$0] ?? 0) > 0 }
                .sorted { (cosines[$0] ?? 0) > (cosines[$1] ?? 0) }
            #expect(Set(hits.map(\.offer.id)) == Set(expected.map { "o\($0)" }), "seed \(seed)")
            for (hit, place) in zip(hits, expected) {
                // The kernels add in single precision.
                let score = ((cosines[place] ?? 0) - least) / (most - least) / 2
                #expect(abs(hit.score - score) < 1e-5, "seed \(seed), \(hit.offer.id)")
                #expect(hit.isFoundByMeaning && !hit.isFoundByWords, "seed \(seed), \(hit.offer.id)")
            }
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `finds what may be found, all of it and nothing else`(seed: UInt64) throws {
        var stock = Stock(seed: seed, count: 150)
        let folder = try Folder()
        defer { folder.remove() }
        let index = try CatalogueIndex(try stock.offers(), folder: folder.path)
        for round in 0..<10 {
            let word = stock.word()
            let filter = stock.filter()
            let hits = try index.search(OfferSearch([SearchPhrase(word)], filter: filter, limit: 150))
            let expected = stock.rows.indices.filter { stock.rows[$0].hasWord(word) && stock.rows[$0].passes(filter) }
            #expect(Set(hits.map(\.offer.id)) == Set(expected.map { "o\($0)" }), "seed \(seed), round \(round)")
            #expect(hits.count == expected.count, "seed \(seed), round \(round)")
            #expect(hits.allSatisfy { $0.isFoundByWords && !$0.isFoundByMeaning }, "seed \(seed), round \(round)")
            #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.score >= $1.score }, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `adds words and meaning, each as far as it goes, and has the best of all phrases`(seed: UInt64) throws {
        var stock = Stock(seed: seed, count: 150)
        let folder = try Folder()
        defer { folder.remove() }
        let index = try CatalogueIndex(try stock.offers(), folder: folder.path)
        var best: [String: Double] = [:]
        var phrases: [SearchPhrase] = []
        for number in 0..<3 {
            let (word, query) = (stock.word(), stock.vector())
            phrases.append(SearchPhrase(word, vector: MeaningVector(query, model: "m")))
            let cosines = stock.rows.map { $0.vector.map { Stock.cosine($0, query) } }
            let known = cosines.compactMap(\.self)
            let (least, most) = (try #require(known.min()), try #require(known.max()))
            let byWords = try index.search(OfferSearch([SearchPhrase(word)], limit: 150))
            let words = Dictionary(uniqueKeysWithValues: byWords.map { ($0.offer.id, $0.score) })
            for (place, cosine) in cosines.enumerated() {
                let own = words["o\(place)"]
                guard own != nil || cosine ?? 0 > 0 else { continue }
                let near = cosine.map { ($0 - least) / (most - least) } ?? 0
                let score = (1 - 0.5 * Double(number) / 3) * ((own ?? 0) + near) / 2
                best["o\(place)"] = max(best["o\(place)"] ?? 0, score)
            }
        }
        let hits = try index.search(OfferSearch(phrases, limit: 150))
        #expect(Set(hits.map(\.offer.id)) == Set(best.keys), "seed \(seed)")
        for hit in hits { #expect(abs(hit.score - (best[hit.offer.id] ?? -1)) < 1e-5, "seed \(seed)") }
        #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.score >= $1.score }, "seed \(seed)")
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `answers a batch as one by one`(seed: UInt64) throws {
        var stock = Stock(seed: seed, count: 120)
        let folder = try Folder()
        defer { folder.remove() }
        let index = try CatalogueIndex(try stock.offers(), folder: folder.path)
        let filters = [OfferFilter(), stock.filter(), stock.filter()]
        let batch = (0..<20).map { number in
            let phrases = (0...number % 3).map { place in
                let vector = (number + place) % 4 == 0 ? nil : MeaningVector(stock.vector(), model: "m")
                return SearchPhrase("\(stock.word()) \(stock.word())", vector: vector)
            }
            return OfferSearch(phrases, filter: filters[number % 3], limit: 1 + number)
        }
        let together = try index.search(batch, threads: 2)
        #expect(together.count == batch.count && together.contains { !$0.isEmpty })
        for (hits, search) in zip(together, batch) {
            let alone = try index.search(search)
            #expect(hits.count <= search.limit)
            #expect(hits.map(\.offer.id) == alone.map(\.offer.id), "seed \(seed)")
            #expect(hits.map(\.score) == alone.map(\.score), "seed \(seed)")
        }
        #expect(try index.search([]).isEmpty)
    }

    @Test func `finds its own offers, also where others are built in its folder at the same time`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let path = folder.path
        let built = try await withThrowingTaskGroup(of: Int.self) { group in
            for builder in 0..<4 {
                group.addTask {
                    let offers = try Stock(seed: 20 + UInt64(builder), count: 5 + 40 * builder).offers()
                    var built = 0
                    for _ in 0..<12 {
                        do throws(RecommenderError) {
                            let index = try CatalogueIndex(offers, folder: path)
                            let all = OfferSearch(Stock.vocabulary.map { SearchPhrase($0) }, limit: 1_000)
                            let found = try index.search(all)
                            #expect(found.count == offers.count)
                            built += 1
                        } catch {
                            #expect(error.code == .catalogue, "another may be at it: \(error)")
                        }
                    }
                    return built
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(built > 0)
    }

    @Test func `serves a request with gifts that may be afforded`() throws {
        let stock = Stock(seed: 4, count: 60)
        let folder = try Folder()
        defer { folder.remove() }
        let server = try StockServer(offers: try stock.json(), folder: folder.path)
        let answers = try server.answer(["garden", "opera"], dollars: 60)
        #expect(answers.count == 2 && answers.allSatisfy { (1...3).contains($0.count) })
        let filter = OfferFilter(kinds: [.gift], total: OfferFilter.Window(0...6_000, currency: "USD"))
        for (word, ids) in zip(["garden", "opera"], answers) {
            for id in ids {
                let row = stock.rows[try #require(Int(id.dropFirst()))]
                #expect(row.hasWord(word) && row.passes(filter))
            }
        }
    }
}

extension IndexedOffer {
    fileprivate var withoutVector: IndexedOffer { IndexedOffer(offer) }
}

/// A folder of its own for an index, which is not made yet.
private struct Folder {
    private let parent: URL
    var path: String { parent.path + "/index" }

    init() throws {
        parent = FileManager.default.temporaryDirectory.appending(path: "knot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    }

    // What stays behind is in the machine's folder for such things, and no test's failure.
    func remove() { try? FileManager.default.removeItem(at: parent) }
}
