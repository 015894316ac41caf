import KnotDomain
import Synchronization
import TestSupport
import Testing
import VectorSearch

@testable import Catalogue

/// What a catalogue on the disk finds is what looking at every offer finds, however it came to be.
@Suite("A catalogue on the disk", .onOwnThreads) struct SnapshotLawTests {
    /// A filter of a seed, from one that lets all pass to one that hardly does.
    private static func filter(_ invented: inout InventedCatalogue) -> CatalogueFilter {
        var filter = CatalogueFilter()
        if invented.number(below: 2) == 0 {
            filter.types = [.catalogue: [.gift], .yelp: Set(CandidateType.allCases), .amazon: [.date]]
        }
        if invented.number(below: 2) == 0 {
            let low = invented.number(below: 20_000)
            let high = low + invented.number(below: 10_000)
            filter.totals = { $0 == .usd ? low...high : $0.code == "EUR" ? 0...high : nil }
        }
        if invented.number(below: 3) == 0 { filter.places = { $0.city == "Portland" && $0.state == "OR" } }
        if invented.number(below: 3) == 0 { filter.mostShippingDays = invented.number(below: 40) - 3 }
        if invented.number(below: 3) == 0 { filter.after = Instant(millisecondsSinceEpoch: 1_790_000_000_000) }
        if invented.number(below: 3) == 0 { filter.until = Instant(millisecondsSinceEpoch: 1_785_000_000_000) }
        filter.needsShippingDays = invented.number(below: 3) == 0
        if invented.number(below: 3) == 0 {
            let from = Instant(millisecondsSinceEpoch: 1_783_000_000_000)
            filter.lastDay = (from, { $1?.city == "Portland" || $0.millisecondsSinceEpoch < 1_786_000_000_000 })
        }
        filter.without = (0..<invented.number(below: 30)).map { _ in
            CandidateID("offer-\(invented.number(below: 600))")
        }
        return filter
    }

    /// Holds what segments find for each phrase against the naive search.
    private static func compare(_ snapshot: CatalogueSnapshot, _ live: [CatalogueItem], _ query: SnapshotQuery) throws {
        let naive = NaiveSearch(items: live).best(query)
        let found = try snapshot.findings(query)
        for (phrase, expected) in naive.enumerated() {
            let words = found.flatMap { $0.found[phrase].byWords }
                .sorted { ($1.words, $0.ordinal) < ($0.words, $1.ordinal) }.prefix(query.depth)
            let ids = try words.map { try snapshot.segments[$0.segment].kept(at: $0.item).id }
            #expect(ids == expected.words.map(\.id))
            // To the last bit: the weights and lengths are those of the live offers.
            #expect(words.map(\.words) == expected.words.map(\.score))
            let near = found.flatMap { $0.found[phrase].byMeaning }
                .sorted { ($1.cosine ?? 0, $0.ordinal) < ($0.cosine ?? 0, $1.ordinal) }.prefix(query.depth)
            let nearIDs = try near.map { try snapshot.segments[$0.segment].kept(at: $0.item).id }
            #expect(nearIDs == expected.near.map(\.id))
            for (one, other) in zip(near, expected.near) {
                #expect(abs((one.cosine ?? 0) - Double(other.score)) < 1e-6)
            }
        }
    }

    /// Holds the first that may be found, whatever a phrase says, against looking at every offer, stretch by stretch.
    private static func compareFirst(
        _ snapshot: CatalogueSnapshot,
        _ live: [CatalogueItem],
        _ query: SnapshotQuery
    ) throws {
        let naive = NaiveSearch(items: live)
        let passing = live.map(\.candidate).filter { naive.passes($0, query.filter) }.prefix(query.depth)
        let first = try snapshot.first(query.depth, where: query.filter)
        #expect(first.map(\.candidate.id) == passing.map(\.id))
        for segment in snapshot.segments {
            let gone = RowBitmap(rowCount: segment.count) { $0 % 7 == 0 }
            let allowed = try SegmentFilter(query.filter).bitmap(of: segment, without: gone)
            let part = segment.layout.vectorCount..<segment.count
            let rows = try SegmentFilter(query.filter).first(9, of: segment, in: part, without: gone, stretch: 64)
            #expect(rows == Array(part.filter { allowed[$0] }.prefix(9)))
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `finds what looking at every offer finds, while offers come, change and go and segments are joined`(
        seed: UInt64
    ) async throws {
        let scratch = try ScratchFolder()
        var invented = InventedCatalogue(seed: seed)
        let folder = scratch.path + "/catalogue"
        var live: [CatalogueItem] = []
        for round in 0..<6 {
            let writer = try CatalogueWriter(folder: folder, segmentItems: 64 << Int(seed % 3), threads: 2)
            let fresh = invented.items(round * 100..<round * 100 + invented.number(below: 100) + 1)
            let changed = (0..<invented.number(below: 20)).map { _ in
                invented.item(invented.number(below: (round + 1) * 100))
            }
            for item in fresh + changed {
                try writer.add([item])
                if let place = live.firstIndex(where: { $0.candidate.id == item.candidate.id }) {
                    let known = live.remove(at: place)
                    if known.candidate == item.candidate, known.vector == item.vector {
                        live.insert(known, at: place)
                        continue
                    }
                }
                live.append(item)
            }
            let gone = (0..<invented.number(below: 30)).map { _ in
                CandidateID("offer-\(invented.number(below: (round + 1) * 100))")
            }
            try writer.remove(gone)
            live.removeAll { gone.contains($0.candidate.id) }
            try writer.commit(mark: "\(round)")
            if round % 2 == 1 { #expect(writer.mergeAll() == nil) }
            let snapshot = try CatalogueSnapshot(folder: folder)
            #expect(snapshot.count == live.count && snapshot.mark == "\(round)", "seed \(seed)")
            #expect(snapshot.vectorCount == live.count { $0.vector != nil })
            for _ in 0..<8 {
                await Task.yield()
                var query = SnapshotQuery(invented.phrases(3))
                query.filter = Self.filter(&invented)
                query.depth = 1 + invented.number(below: 60)
                query.threads = 1 + invented.number(below: 3)
                try Self.compare(snapshot, live, query)
                try Self.compareFirst(snapshot, live, query)
            }
        }
    }

    /// What there is after each commit, by its mark; kept before the commit, so that a reader always finds it.
    private final class Models: Sendable {
        private let state = Mutex<(live: [String: [CatalogueItem]], isWritten: Bool)>(([:], false))

        var isWritten: Bool { state.withLock { $0.isWritten } }
        subscript(mark: String) -> [CatalogueItem]? { state.withLock { $0.live[mark] } }

        func keep(_ live: [CatalogueItem], as mark: String) { state.withLock { $0.live[mark] = live } }
        func end() { state.withLock { $0.isWritten = true } }
    }

    /// Brings, changes and withdraws offers, and joins segments, commit by commit.
    private static func write(_ folder: String, seed: UInt64, into models: Models) async throws {
        defer { models.end() }
        var invented = InventedCatalogue(seed: seed)
        var live: [CatalogueItem] = []
        for round in 0..<24 {
            await Task.yield()
            let writer = try CatalogueWriter(folder: folder, segmentItems: 64)
            let items = (0..<20).map { _ in invented.item(invented.number(below: 400)) }
            for item in items {
                // What says the same stays where it is.
                if live.contains(where: { $0.candidate == item.candidate && $0.vector == item.vector }) { continue }
                live.removeAll { $0.candidate.id == item.candidate.id }
                live.append(item)
                try writer.add([item])
            }
            let gone = (0..<8).map { _ in CandidateID("offer-\(invented.number(below: 400))") }
            live.removeAll { gone.contains($0.candidate.id) }
            try writer.remove(gone)
            models.keep(live, as: "\(round)")
            try writer.commit(mark: "\(round)")
            #expect(writer.mergeAll() == nil)
        }
    }

    @Test(arguments: [31, 32] as [UInt64])
    func `finds just that while another changes it and joins its segments`(seed: UInt64) async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path + "/catalogue"
        let models = Models()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.write(folder, seed: seed, into: models) }
            for reader in 0..<2 {
                group.addTask {
                    var invented = InventedCatalogue(seed: seed * 100 + UInt64(reader))
                    var isLast = false
                    while !isLast {
                        await Task.yield()
                        // What was written last is read once more, by whichever reader is late.
                        isLast = models.isWritten
                        guard CatalogueSnapshot.isThere(in: folder) else { continue }
                        let snapshot = try CatalogueSnapshot(folder: folder)
                        let live = try #require(models[snapshot.mark ?? ""])
                        var query = SnapshotQuery(invented.phrases(2))
                        query.filter = Self.filter(&invented)
                        query.depth = 30
                        #expect(snapshot.count == live.count, "seed \(seed), mark \(snapshot.mark ?? "")")
                        try Self.compare(snapshot, live, query)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `gives back every offer as it came, with its vector`() throws {
        let scratch = try ScratchFolder()
        var invented = InventedCatalogue(seed: 11)
        let items = invented.items(0..<300)
        let writer = try CatalogueWriter(folder: scratch.path, segmentItems: 128)
        try writer.add(items)
        try writer.commit()
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        for item in items {
            let known = try #require(try snapshot.item(withID: item.candidate.id))
            #expect(known.candidate == item.candidate && known.vector == item.vector)
        }
        #expect(try snapshot.item(withID: CandidateID("offer-300")) == nil)
    }

    @Test func `ids that differ in their bytes alone are two offers, however often they come`() throws {
        let scratch = try ScratchFolder()
        let ids = ["caf\u{E9}", "cafe\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}", "q\u{307}\u{323}", "q\u{323}\u{307}"]
        for round in 1...4 {
            let writer = try CatalogueWriter(folder: scratch.path)
            try writer.add(ids.map { CatalogueItem(.invented($0, "Star map \($0.utf8.count)")) })
            #expect(writer.tally.added == (round == 1 ? ids.count : 0) && writer.tally.replaced == 0)
            try writer.commit()
            #expect(try CatalogueSnapshot(folder: scratch.path).count == ids.count)
        }
        let writer = try CatalogueWriter(folder: scratch.path)
        try writer.remove([CandidateID("cafe\u{301}")])
        try writer.commit()
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        #expect(try snapshot.item(withID: CandidateID("cafe\u{301}")) == nil)
        #expect(try snapshot.item(withID: CandidateID("caf\u{E9}")) != nil)
    }

    @Test func `an offer that comes again without its vector keeps it while its text is the same`() throws {
        let scratch = try ScratchFolder()
        var invented = InventedCatalogue(seed: 12)
        let made = invented.vector()
        let vector = try #require(made)
        func add(_ title: String, price: Int, _ vector: Embedding?) throws -> CatalogueItem? {
            let candidate = Candidate.invented("a", title, price: price)
            let writer = try CatalogueWriter(folder: scratch.path)
            try writer.add([CatalogueItem(candidate, vector: vector)])
            try writer.commit()
            return try CatalogueSnapshot(folder: scratch.path).item(withID: CandidateID("a"))
        }
        #expect(try add("Oak clock", price: 100, vector)?.vector == vector)
        let cheaper = try #require(try add("Oak clock", price: 90, nil))
        #expect(cheaper.vector == vector && cheaper.candidate.priceCents == 90)
        #expect(try add("Oak bench", price: 90, nil)?.vector == nil)
    }

    @Test func `compares with all numbers of a vector, however few of them a segment has to keep`() throws {
        let scratch = try ScratchFolder()
        let writer = try CatalogueWriter(folder: scratch.path)
        var live: [CatalogueItem] = []
        func vector(_ numbers: [Int: Float]) -> Embedding? {
            Embedding((0..<Embedding.dimension).map { numbers[$0] ?? 0 }, model: "m")
        }
        for (round, most) in [20, 300, 100].enumerated() {
            let items = (0..<8).map { number in
                CatalogueItem(
                    .invented("o\(round)-\(number)", "Map"),
                    vector: vector([number: 1, most + number: Float(number) / 4, 12: 0.5])
                )
            }
            try writer.add(items)
            try writer.commit()
            live += items
        }
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        #expect(snapshot.segmentCount == 3)
        let asked = [vector([1: 0.2, 105: 0.5, 303: 0.9]), vector([700: 1]), vector([12: 1])]
        var query = SnapshotQuery(asked.map { CatalogueIndex.Phrase(text: "", vector: $0) })
        query.depth = 5
        let naive = NaiveSearch(items: live).best(query)
        for (ranking, expected) in zip(try snapshot.rankings(query), naive) {
            let near = expected.near.filter { $0.score > 0 }
            #expect(ranking.near.filter { $0.score > 0 }.count == near.count)
            for (one, other) in zip(ranking.near, near) { #expect(abs(one.score - Double(other.score)) < 1e-6) }
        }
    }

    @Test func `no phrase's finds fill the pool alone, and no merchant's while others have something`() throws {
        let scratch = try ScratchFolder()
        let writer = try CatalogueWriter(folder: scratch.path)
        try writer.add(
            (0..<200).map { number in
                CatalogueItem(Candidate.invented("l\(number)", "Lamp \(number)", merchant: "One shop"))
            }
        )
        try writer.add(
            (0..<5).map { CatalogueItem(Candidate.invented("k\($0)", "Kite \($0)", merchant: "Other \($0)")) }
        )
        try writer.commit()
        var query = SnapshotQuery(
            ["lamp", "kite"].map { CatalogueIndex.Phrase(text: $0, vector: nil) }
        )
        query.limit = 40
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        let answer = try snapshot.search(query)
        let ids = try snapshot.offers(answer.hits).map(\.item.candidate.id.text)
        #expect(ids.count == 40 && answer.found == 205 && answer.allowed == 205)
        #expect(ids.filter { $0.hasPrefix("k") }.count == 5)
    }

    @Test func `each phrase has its share of the pool, however well the finds of others score`() throws {
        let scratch = try ScratchFolder()
        let writer = try CatalogueWriter(folder: scratch.path)
        // All lamps score alike, and so do all kites but the first, which names its word more often than any other.
        try writer.add(
            (0..<100).map { number in
                CatalogueItem(Candidate.invented("l\(number)", "Lamp \(number)", merchant: "Shop \(number)"))
            }
        )
        try writer.add(
            (0..<100).map { number in
                let title = number == 0 ? "Kite kite kite kite" : "Kite of paper and string with a long tail \(number)"
                return CatalogueItem(Candidate.invented("k\(number)", title, merchant: "Other \(number)"))
            }
        )
        try writer.commit()
        var query = SnapshotQuery(["lamp", "kite"].map { CatalogueIndex.Phrase(text: $0, vector: nil) })
        query.limit = 40
        let snapshot = try CatalogueSnapshot(folder: scratch.path)
        let ids = try snapshot.offers(try snapshot.search(query).hits).map(\.item.candidate.id.text)
        #expect(ids.count == 40)
        #expect(ids.count { $0.hasPrefix("k") } == 20)
    }
}
