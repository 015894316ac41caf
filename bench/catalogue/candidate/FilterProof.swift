import Catalogue
import Glibc
import JSONDocument
import KnotDomain
import Synchronization
import Threads
import VectorSearch

/// Holds filtered searches of a catalogue to looking at every offer: ids, order and bits, with several segments, offers that
/// are gone, and merges going on.
enum FilterProof {
    private static let batch = 8_192
    private static let phraseCount = 24

    /// Ends the process at the first difference.
    static func run(folder: String, offers: Int, filters: Int, seed: UInt64) throws {
        var source = GeneratedOffers(seed: 20_261_123)
        var plain = PlainCatalogue()
        let writer = try CatalogueWriter(folder: folder, startsAnew: true, threads: 2)
        for start in stride(from: 0, to: offers, by: batch) {
            let items = source.items(start..<min(start + batch, offers))
            for item in items { plain.add(item) }
            try writer.add(items)
        }
        try writer.commit()
        let phrases = source.phrases(phraseCount)
        var check = FilterCheck(seed: seed)
        try check.hold(CatalogueSnapshot(folder: folder), to: plain, phrases, filters / 3, "as built")
        // Offers go, change and come, so that there are small segments and one of which hardly anything is left.
        let gone = (0..<min(offers / 4, 40_000)).map { CandidateID("offer-\($0)") }
        try writer.remove(gone)
        for id in gone { plain.remove(id) }
        func batches(_ count: Int, from start: Int) -> [[CatalogueItem]] {
            (0..<count).map { source.items(start + $0 * 200..<start + $0 * 200 + 300) }
        }
        for items in batches(9, from: offers / 2) {
            for item in items { plain.add(item) }
            try writer.add(items)
            try writer.commit()
        }
        let scattered = try CatalogueSnapshot(folder: folder)
        let meanwhile = batches(40, from: offers - 3_000)
        let isSearched = Atomic(false)
        // Used by one thread at a time: by the one that merges until both have ended, then by this one.
        nonisolated(unsafe) let changing = writer
        let (before, start) = (plain, check)
        let outcomes = ThreadParts.map([0..<1, 1..<2]) { part in
            Result { () throws -> (check: FilterCheck?, changes: Int) in
                guard part.lowerBound == 0 else {
                    return (nil, try unsafe change(changing, meanwhile, until: isSearched))
                }
                defer { isSearched.store(true, ordering: .releasing) }
                var check = start
                try check.hold(scattered, to: before, phrases, filters / 3, "while it is changed and merged")
                return (check, 0)
            }
        }
        var changes = 0
        for outcome in outcomes {
            let (found, count) = try outcome.get()
            if let found { check = found }
            changes += count
        }
        for item in meanwhile.prefix(changes).joined() { plain.add(item) }
        let merged = try CatalogueSnapshot(folder: folder)
        try check.hold(merged, to: plain, phrases, filters - filters / 3 * 2, "after that")
        CatalogueBench.report([
            "proof": "filters", "offers": .integer(offers), "filters": .integer(check.shares.count),
            "rankings": .integer(check.rankings), "segments_scattered": .integer(scattered.segmentCount),
            "gone": .integer(scattered.goneCount), "merges_meanwhile": .integer(changes),
            "segments_after": .integer(merged.segmentCount), "least_share": .number(check.shares.min() ?? 0),
            "median_share": .number(CatalogueBench.median(check.shares)),
            "most_share": .number(check.shares.max() ?? 0), "differences": 0,
        ])
    }

    /// Merges and changes until the others are done; returns how many changes there were.
    private static func change(
        _ writer: CatalogueWriter,
        _ batches: [[CatalogueItem]],
        until isSearched: borrowing Atomic<Bool>
    ) throws -> Int {
        var changes = 0
        for items in batches {
            if let error = writer.mergeAll() { throw error }
            if isSearched.load(ordering: .acquiring) { break }
            try writer.add(items)
            try writer.commit()
            changes += 1
        }
        return changes
    }
}

/// Searches of a seed and what came of them.
struct FilterCheck: Sendable {
    private var random: SplitMix
    /// Of each filter: how large a part of the offers it lets pass.
    private(set) var shares: [Double] = []
    private(set) var rankings = 0

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Ends the process at the first difference in an offer, in the order, or in a bit.
    mutating func hold(
        _ snapshot: CatalogueSnapshot,
        to plain: PlainCatalogue,
        _ phrases: [CatalogueIndex.Phrase],
        _ filters: Int,
        _ when: String
    ) throws {
        let scores = phrases.map { plain.scores(of: $0) }
        for number in 0..<filters {
            let filter = filter()
            let asked = (0..<[1, 1, 1, 3][random.below(4)]).map { _ in random.below(phrases.count) }
            var query = SnapshotQuery(asked.map { phrases[$0] })
            query.filter = filter.catalogueFilter
            query.depth = 1 + random.below(60)
            query.threads = 1 + random.below(2)
            let isAllowed = plain.allowed(by: filter)
            shares.append(Double(isAllowed.count { $0 }) / Double(snapshot.count))
            for (phrase, found) in zip(asked, try snapshot.rankings(query)) {
                let words = PlainCatalogue.best(scores[phrase].words, isAllowed, query.depth, above: 0)
                let near = PlainCatalogue.best(scores[phrase].cosines, isAllowed, query.depth)
                let isSame =
                    found.words.elementsEqual(words) { $0.ordinal == UInt64($1.row) && $0.score == $1.score }
                    && found.near.elementsEqual(near) {
                        $0.ordinal == UInt64($1.row) && Float($0.score).bitPattern == $1.score.bitPattern
                    }
                rankings += 2
                guard isSame else {
                    print("filter \(number) \(when), phrase \(phrase): it is not what looking at every offer finds")
                    print("words", found.words.prefix(5), words.prefix(5))
                    print("near", found.near.prefix(5), near.prefix(5))
                    exit(70)
                }
            }
        }
    }

    private mutating func filter() -> PlainCatalogue.Filter { PlainCatalogue.Filter(of: &random) }
}

extension PlainCatalogue.Filter {
    /// From one that lets all pass to one that hardly lets any.
    init(of random: inout SplitMix) {
        self.init()
        if random.below(10) < 7 {
            let share = [1, 4, 8][random.below(3)]
            kinds = kinds.map { _ in random.below(10) < share }
        }
        if random.below(10) < 6 {
            windows = PlainCatalogue.currencies.map { _ in
                let low = Int(500 * exp(random.unit() * 5))
                return low...low + Int(exp(random.unit() * 11))
            }
        }
        if random.below(2) == 0 {
            let count = Int(exp(random.unit() * 6))
            towns = Set((0..<count).map { _ in "Town \(random.below(400))" })
        }
        if random.below(2) == 0 { mostDays = random.below(31) - 1 }
    }
}

/// Numbers of a seed.
struct SplitMix: Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
