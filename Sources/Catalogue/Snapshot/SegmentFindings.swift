import KnotDomain
import TextEncoding
import VectorSearch

/// What one segment finds for each phrase of a query: its best by words, and its best by meaning with their words' scores.
struct SegmentFindings: Sendable {
    /// An item that was found, with what its words and its meaning score.
    struct Find: Sendable {
        let segment: Int
        let item: Int
        let ordinal: UInt64
        let merchant: UInt32
        let words: Double
        /// Nil where it is not among those nearest by meaning.
        let cosine: Double?
    }

    /// What a phrase finds.
    struct Found: Sendable {
        var byWords: [Find] = []
        var byMeaning: [Find] = []
        /// Whether the phrase has a vector to compare with; without one there is nothing by meaning.
        var hasMeaning = false
    }

    /// By phrase.
    private(set) var found: [Found]
    /// How many items the filter let pass.
    let allowed: Int
    /// How much of the query there was time for.
    var extent = Extent.whole

    enum Extent: Sendable {
        case whole
        case words
        case nothing
    }

    /// Nothing, of a segment that there was no time for.
    init(without query: SnapshotQuery) {
        found = Array(repeating: Found(), count: query.phrases.count)
        allowed = 0
        extent = .nothing
    }

    init(
        _ number: Int,
        _ segment: CatalogueSegment,
        _ allowed: RowBitmap,
        _ query: SnapshotQuery,
        _ words: WordStatistics,
        near left: RowBitmap?,
        above floors: inout SearchFloors
    ) throws(CatalogueError) {
        self.allowed = allowed.count
        found = Array(repeating: Found(), count: query.phrases.count)
        let near = try Self.nearest(segment, left ?? allowed, query, atLeast: floors.cosine)
        var scores = WordScores(count: self.allowed > 0 ? segment.count : 0)
        for phrase in query.phrases.indices {
            if self.allowed > 0 {
                for term in words.terms[phrase] {
                    let range = try segment.postings(of: term.fingerprint)
                    if !range.isEmpty { scores.add(range, of: segment, term.weight, words, allowed) }
                }
            }
            func find(_ item: Int, _ cosine: Double?) -> Find {
                Find(
                    segment: number,
                    item: item,
                    ordinal: segment.ordinals[item],
                    merchant: segment.merchants[item],
                    words: scores[item],
                    cosine: cosine
                )
            }
            found[phrase].hasMeaning = near[phrase] != nil
            let cosine = Double(floors.cosines[phrase])
            found[phrase].byMeaning = (near[phrase] ?? []).compactMap {
                Double($0.score) < cosine ? nil : find($0.row, Double($0.score))
            }
            found[phrase].byWords = scores.best(query.depth, segment.ordinals, atLeast: floors.words[phrase])
                .map { find($0, nil) }
            scores.clear()
        }
        floors.rise(byWords: found.map { $0.byWords.map(\.words) })
        floors.rise(byMeaning: found.map { $0.hasMeaning ? $0.byMeaning.compactMap(\.cosine) : nil })
        try segment.ensureWhole()
    }

    /// For each phrase with a vector of the segment's model, its nearest items among those that are allowed.
    private static func nearest(
        _ segment: CatalogueSegment,
        _ allowed: RowBitmap,
        _ query: SnapshotQuery,
        atLeast least: Float
    ) throws(CatalogueError) -> [[Match]?] {
        guard let index = segment.vectors else {
            return query.phrases.map { $0.vector == nil ? nil : [] }
        }
        let asked = AskedVectors(query, index.matrix)
        let rows = allowed.prefix(segment.layout.vectorCount)
        guard !asked.packed.isEmpty, rows.count > 0 else { return asked.shares.map { $0 == nil ? nil : [] } }
        do throws(VectorSearchError) {
            let found = try index.search(
                asked.packed.span,
                limit: query.depth,
                atLeast: asked.floor(least),
                where: .rows(rows)
            )
            return asked.byPhrase(found.matches) { Match(row: $0.row, score: $0.score * $1) }
        } catch {
            throw CatalogueError(error, segment.path)
        }
    }
}

/// The scores of one phrase's words for the items of a segment; memory that is used for phrase after phrase.
struct WordScores {
    private var scores: [Double]
    private var touched: [Int32] = []

    init(count: Int) { scores = Array(repeating: 0, count: count) }

    subscript(item: Int) -> Double { scores.isEmpty ? 0 : scores[item] }

    /// Adds what one word scores for each allowed item that holds it.
    mutating func add(
        _ range: Range<Int>,
        of segment: CatalogueSegment,
        _ weight: Double,
        _ words: WordStatistics,
        _ allowed: RowBitmap
    ) {
        // By count, what is the same for all lengths.
        let numerators = (0...Int(SegmentLayout.longCount)).map { BM25.numerator(of: Double($0), weight: weight) }
        segment.postings.withSpan { postings in
            segment.lengths.withSpan { lengths in
                unsafe allowed.words.withUnsafeBufferPointer { bits in
                    for place in range {
                        let posting = postings[place]
                        let item = Int(posting >> SegmentLayout.countBits)
                        // A file that was changed under us may name any item.
                        guard item < lengths.count, unsafe bits[item >> 6] >> UInt64(item & 63) & 1 == 1 else {
                            continue
                        }
                        let count = posting & (1 << SegmentLayout.countBits - 1)
                        let damping = words.damping(of: Int(lengths[item]))
                        var score = numerators[Int(count)] / (Double(count) + damping)
                        if count == SegmentLayout.longCount {
                            let often = Double(segment.longCount(ofPosting: place))
                            score = BM25.numerator(of: often, weight: weight) / (often + damping)
                        }
                        if scores[item] == 0 { touched.append(Int32(item)) }
                        scores[item] += score
                    }
                }
            }
        }
    }

    /// The items with the best scores of at least so much, best first, equal ones in the order of their ordinals.
    func best(_ limit: Int, _ ordinals: MappedNumbers<UInt64>, atLeast least: Double) -> [Int] {
        func precedes(_ left: Int, _ right: Int) -> Bool {
            scores[left] != scores[right] ? scores[left] > scores[right] : ordinals[left] < ordinals[right]
        }
        // A heap with the worst of the best at its root.
        var heap: [Int] = []
        heap.reserveCapacity(limit)
        func sink(_ heap: inout [Int], _ start: Int) {
            var place = start
            while true {
                var worst = place
                for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                    if precedes(heap[worst], heap[child]) { worst = child }
                }
                if worst == place { return }
                heap.swapAt(place, worst)
                place = worst
            }
        }
        for item in touched where scores[Int(item)] >= least {
            let item = Int(item)
            if heap.count < limit {
                heap.append(item)
                if heap.count == limit { for start in (0..<limit / 2 + 1).reversed() { sink(&heap, start) } }
            } else if precedes(item, heap[0]) {
                heap[0] = item
                sink(&heap, 0)
            }
        }
        return heap.sorted(by: precedes)
    }

    mutating func clear() {
        for item in touched { scores[Int(item)] = 0 }
        touched.removeAll(keepingCapacity: true)
    }
}

/// What a find has to reach to be among the best of the segments that were searched so far.
struct SearchFloors: Sendable {
    private let depth: Int
    /// By phrase, the best scores so far, best first.
    private var bestWords: [[Double]]
    private var bestCosines: [[Double]]
    /// By phrase.
    private(set) var words: [Double]
    private(set) var cosines: [Float]
    /// For all phrases together, since one search looks for all of them.
    private(set) var cosine = -Float.infinity

    init(_ query: SnapshotQuery) {
        depth = query.depth
        bestWords = query.phrases.map { _ in [] }
        bestCosines = bestWords
        words = query.phrases.map { _ in 0 }
        cosines = query.phrases.map { _ in -.infinity }
    }

    /// Combines what several parts know of cosines by their lower bounds.
    init(_ query: SnapshotQuery, _ parts: [SearchFloors]) {
        self.init(query)
        for part in parts { rise(byMeaning: part.bestCosines) }
        // The rows behind these bounds are counted again with their scores.
        bestCosines = query.phrases.map { _ in [] }
    }

    mutating func rise(byWords found: [[Double]]) {
        for phrase in found.indices {
            bestWords[phrase] = Self.merged(bestWords[phrase], found[phrase], depth)
            if bestWords[phrase].count == depth { words[phrase] = bestWords[phrase][depth - 1] }
        }
    }

    /// Takes cosines, or lower bounds of them, for each phrase; `nil` for a phrase without a vector.
    mutating func rise(byMeaning found: [[Double]?]) {
        var least = Float.infinity
        for phrase in found.indices {
            guard let found = found[phrase] else { continue }
            bestCosines[phrase] = Self.merged(bestCosines[phrase], found, depth)
            if bestCosines[phrase].count == depth {
                cosines[phrase] = max(cosines[phrase], Float(bestCosines[phrase][depth - 1]))
            }
            least = min(least, cosines[phrase])
        }
        if least.isFinite { cosine = least }
    }

    private static func merged(_ left: [Double], _ right: [Double], _ depth: Int) -> [Double] {
        guard !right.isEmpty else { return left }
        return Array((left + right).sorted(by: >).prefix(depth))
    }
}
