import Glibc
import KnotDomain
import TextEncoding
import Threads
import VectorSearch

/// What a catalogue on the disk is searched for.
package struct SnapshotQuery: Sendable {
    /// The most wanted first.
    package var phrases: [CatalogueIndex.Phrase]
    package var filter = CatalogueFilter()
    /// By segment, items that are not found whatever the filter says.
    var without: [Int: [Int]] = [:]
    /// So many offers are found at most, for all phrases together.
    package var limit = 300
    /// So many are ranked for each phrase, by words and by meaning.
    package var depth = 200
    package var threads = 1
    /// In the second half of it offers are searched by words alone, and after it not at all; nil searches everything.
    package var time: SearchTime?

    package init(_ phrases: [CatalogueIndex.Phrase]) { self.phrases = phrases }
}

/// What a search of a catalogue on the disk found.
package struct SnapshotAnswer: Sendable {
    package struct Hit: Sendable {
        let segment: Int
        let item: Int
        let ordinal: UInt64
        let merchant: UInt32
        /// From 0 to 1.
        package let score: Double
    }

    /// What was found, as it is offered.
    package struct Offer: Sendable {
        package let hit: Hit
        package let item: CatalogueItem
    }

    /// The best first.
    package let hits: [Hit]
    /// How many offers the filter let pass.
    package let allowed: Int
    /// How many different ones were found before the answer was cut to its limit.
    package let found: Int
    /// How many offers were searched by words alone, and how many not at all, since there was no time.
    package var byWordsAlone = 0
    package var unsearched = 0
}

/// What a phrase ranks best in a whole catalogue, by words and by meaning apart, the best first.
package struct PhraseRanking: Sendable {
    package struct Rank: Sendable {
        /// The number of the offer in the order in which all came.
        package let ordinal: UInt64
        package let score: Double
    }

    package let words: [Rank]
    package let near: [Rank]
}

extension CatalogueSnapshot {
    /// For each phrase, what `search` makes one ranking of.
    package func rankings(_ query: SnapshotQuery) throws(CatalogueError) -> [PhraseRanking] {
        let parts = try findings(query)
        let order = SnapshotOrder(limit: query.limit)
        return query.phrases.indices.map { phrase in
            let (words, near) = order.ranked(parts.map { $0.found[phrase] }, depth: query.depth)
            return PhraseRanking(
                words: words.map { PhraseRanking.Rank(ordinal: $0.ordinal, score: $0.words) },
                near: near.map { PhraseRanking.Rank(ordinal: $0.ordinal, score: $0.cosine ?? 0) }
            )
        }
    }

    /// The offers that are best for any phrase, each phrase with its share of them.
    ///
    /// For each phrase, the scores of the best by words and by meaning are stretched to 0...1 and averaged, as
    /// `ScoreFusion.sum` does it; the first phrase counts twice the last. What a phrase finds is exact: the best of all
    /// offers that pass the filter, equal ones in the order in which they came.
    package func search(_ query: SnapshotQuery) throws(CatalogueError) -> SnapshotAnswer {
        guard query.limit > 0 else { return SnapshotAnswer(hits: [], allowed: 0, found: 0) }
        let parts = try findings(query)
        let allowed = parts.reduce(0) { $0 + $1.allowed }
        let order = SnapshotOrder(limit: query.limit)
        let ranked = query.phrases.indices.map { phrase in
            let weight = 1 - 0.5 * Double(phrase) / Double(query.phrases.count)
            return order.fused(parts.map { $0.found[phrase] }, depth: query.depth, weight: weight)
        }
        let (hits, found) = order.pool(ranked)
        var answer = SnapshotAnswer(hits: hits, allowed: allowed, found: found)
        for (segment, part) in zip(segments, parts) {
            switch part.extent {
            case .whole: break
            case .words: answer.byWordsAlone += segment.count
            case .nothing: answer.unsearched += segment.count
            }
        }
        return answer
    }

    /// The offers of an answer, in its order, with their vectors.
    package func offers(_ hits: [SnapshotAnswer.Hit]) throws(CatalogueError) -> [SnapshotAnswer.Offer] {
        var offers: [SnapshotAnswer.Offer] = []
        offers.reserveCapacity(hits.count)
        for hit in hits { try segments[hit.segment].expect(item: hit.item) }
        for hit in hits {
            guard let item = try segments[hit.segment].offer(at: hit.item) else { continue }
            offers.append(SnapshotAnswer.Offer(hit: hit, item: item))
        }
        return offers
    }

    /// The first offers that pass a filter, in the order in which they came.
    package func first(_ limit: Int, where filter: CatalogueFilter) throws(CatalogueError) -> [CatalogueItem] {
        var query = SnapshotQuery([])
        (query.filter, query.limit) = (filter, limit)
        return try offers(try first(query)).map(\.item)
    }

    /// The first offers that pass a query's filter, in the order in which they came, whatever its phrases.
    func first(_ query: SnapshotQuery) throws(CatalogueError) -> [SnapshotAnswer.Hit] {
        let filter = SegmentFilter(query.filter)
        var hits: [SnapshotAnswer.Hit] = []
        for (number, segment) in segments.enumerated() {
            var gone = withdrawn.bitmap(of: manifest.segments[number].name)
            if let without = query.without[number], !without.isEmpty {
                var bits = gone ?? RowBitmap(rowCount: segment.count)
                for item in without { bits[item] = true }
                gone = bits
            }
            let vectorCount = segment.layout.vectorCount
            // Both parts of a segment are in order, so that no more of each are among the first.
            for part in [0..<vectorCount, vectorCount..<segment.count] {
                hits += try filter.first(query.limit, of: segment, in: part, without: gone).map { item in
                    let ordinal = segment.ordinals[item]
                    return SnapshotAnswer.Hit(segment: number, item: item, ordinal: ordinal, merchant: 0, score: 0)
                }
            }
        }
        return Array(hits.sorted { $0.ordinal < $1.ordinal }.prefix(query.limit))
    }

    /// The items of a segment that a query may find.
    private func allowed(
        _ number: Int,
        _ filter: SegmentFilter,
        _ query: SnapshotQuery
    ) throws(CatalogueError) -> RowBitmap {
        let gone = withdrawn.bitmap(of: manifest.segments[number].name)
        var allowed = try filter.bitmap(of: segments[number], without: gone)
        for item in query.without[number] ?? [] { allowed[item] = false }
        return allowed
    }

    /// What each segment finds, on as many threads as the query says.
    func findings(_ query: SnapshotQuery) throws(CatalogueError) -> [SegmentFindings] {
        let words = try WordStatistics(of: self, phrases: query.phrases.map(\.text))
        let split = ThreadParts.split(segments.count, into: query.threads)
        let half = query.time?.half
        let looks = ThreadParts.map(split) { part in
            Result { () throws(CatalogueError) in try self.look(part, query, half) }
        }
        var all: [SegmentLook] = []
        var bounds: [SearchFloors] = []
        for look in looks {
            let (own, floors) = try look.get()
            all += own
            bounds.append(floors)
        }
        let floors = SearchFloors(query, bounds)
        for (number, segment) in segments.enumerated() {
            all[number].left = all[number].near?.rows(of: segment.count, atLeast: floors.cosines)
            let left = all[number].left ?? all[number].allowed
            if all[number].left != nil || NearRows.areFew(left.count, query) { segment.expect(rows: left) }
        }
        var byWords = query
        byWords.phrases = query.phrases.map { CatalogueIndex.Phrase(text: $0.text, vector: nil) }
        let (shorter, ready) = (byWords, all)
        let outcomes = ThreadParts.map(split) { part in
            Result { () throws(CatalogueError) in
                var findings: [SegmentFindings] = []
                var floors = floors
                for number in part {
                    let look = ready[number]
                    guard look.extent != .nothing, number == part.lowerBound || !(query.time?.isOver ?? false) else {
                        findings.append(SegmentFindings(without: query))
                        continue
                    }
                    let asked = look.extent == .whole ? query : shorter
                    var found = try SegmentFindings(
                        number,
                        self.segments[number],
                        look.allowed,
                        asked,
                        words,
                        near: look.left,
                        above: &floors
                    )
                    found.extent = look.extent
                    findings.append(found)
                }
                return findings
            }
        }
        var found: [SegmentFindings] = []
        for outcome in outcomes { found += try outcome.get() }
        return found
    }

    /// The knowledge of a segment that a search has before it reads rows and words.
    private struct SegmentLook: Sendable {
        var extent = SegmentFindings.Extent.nothing
        var allowed = RowBitmap(rowCount: 0)
        var near: NearRows?
        /// The rows that may be near; nil if these are all that are allowed.
        var left: RowBitmap?
    }

    /// Finds the allowed items of some segments and, in a catalogue of several, the rows among them that may be near.
    private func look(
        _ part: Range<Int>,
        _ query: SnapshotQuery,
        _ half: ContinuousClock.Instant?
    ) throws(CatalogueError) -> ([SegmentLook], SearchFloors) {
        let filter = SegmentFilter(query.filter)
        var looks: [SegmentLook] = []
        var floors = SearchFloors(query)
        for number in part {
            var look = SegmentLook()
            // Something is searched in any case: an answer without anything helps nobody.
            if number == part.lowerBound || !(query.time?.isOver ?? false) {
                look.extent = half.map { ContinuousClock.now < $0 } ?? true ? .whole : .words
                look.allowed = try allowed(number, filter, query)
                if look.extent == .whole, segments.count > 1 {
                    look.near = try NearRows(segments[number], look.allowed, query, above: &floors)
                }
            }
            looks.append(look)
        }
        return (looks, floors)
    }
}

/// How telling the words of some phrases are in a whole catalogue, without what is gone.
struct WordStatistics: Sendable {
    struct Term: Sendable {
        let fingerprint: UInt64
        let weight: Double
    }

    /// By phrase, each word once.
    let terms: [[Term]]
    /// By length, up to a usual one.
    private let dampings: [Double]
    private let average: Double

    init(of snapshot: CatalogueSnapshot, phrases: [String]) throws(CatalogueError) {
        let count = snapshot.count
        let words = snapshot.segments.reduce(0) { $0 + $1.layout.wordCount } - snapshot.withdrawn.wordCount
        // Items of a segment that an earlier version made may count less there than when they go.
        let average = count > 0 ? Double(max(words, 0)) / Double(count) : 0
        self.average = average
        dampings = (0..<512).map { BM25.damping(ofLength: $0, average: average) }
        var known: [UInt64: Double] = [:]
        var terms: [[Term]] = []
        for phrase in phrases {
            var own: [Term] = []
            for fingerprint in WordRanking.contentFingerprints(of: phrase)
            where !own.contains(where: { $0.fingerprint == fingerprint }) {
                if known[fingerprint] == nil {
                    var holders = -(snapshot.withdrawn.holders[fingerprint] ?? 0)
                    for segment in snapshot.segments {
                        let postings = try segment.postings(of: fingerprint)
                        segment.expect(postings: postings)
                        holders += postings.count
                    }
                    known[fingerprint] = BM25.weight(holders: max(holders, 0), of: count)
                }
                own.append(Term(fingerprint: fingerprint, weight: known[fingerprint] ?? 0))
            }
            terms.append(own)
        }
        self.terms = terms
    }

    /// How much a length dampens the words of an item.
    @inline(__always)
    func damping(of length: Int) -> Double {
        length < dampings.count ? dampings[length] : BM25.damping(ofLength: length, average: average)
    }
}
