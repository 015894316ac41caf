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
        above floors: inout SearchFloors
    ) throws(CatalogueError) {
        self.allowed = allowed.count
        found = Array(repeating: Found(), count: query.phrases.count)
        let near = try Self.nearest(segment, allowed, query, atLeast: floors.cosine)
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
            found[phrase].byMeaning = (near[phrase] ?? []).map { find($0.row, Double($0.score)) }
            found[phrase].byWords = scores.best(query.depth, segment.ordinals, atLeast: floors.words[phrase])
                .map { find($0, nil) }
            scores.clear()
        }
        floors.rise(by: found)
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
        let model = index.matrix.model
        let dimension = index.matrix.dimension
        var packed: [Float] = []
        // By phrase that is asked, how much of its length the numbers have that this segment keeps.
        let shares = query.phrases.map { phrase -> Float? in
            guard let vector = phrase.vector, vector.model == model, vector.norm > 0 else { return nil }
            guard vector.values[dimension...].contains(where: { $0 != 0 }) else {
                packed += vector.values[..<dimension]
                return 1
            }
            let share = vector.share(ofFirst: dimension)
            if share > 0 { packed += vector.values[..<dimension] }
            return share
        }
        let rows = allowed.prefix(segment.layout.vectorCount)
        guard !packed.isEmpty, rows.count > 0 else { return shares.map { $0 == nil ? nil : [] } }
        // The cosine with a query's first numbers alone is another than with all of them.
        let floor = shares.allSatisfy { $0 ?? 1 == 1 } ? least : -.infinity
        do throws(VectorSearchError) {
            var found = try index.search(packed.span, limit: query.depth, atLeast: floor, where: .rows(rows))
                .matches[...]
            return shares.map { share in
                guard let share else { return nil }
                guard share > 0, let matches = found.popFirst() else { return [] }
                return share == 1 ? matches : matches.map { Match(row: $0.row, score: $0.score * share) }
            }
        } catch {
            throw CatalogueError(error, segment.path)
        }
    }
}

extension Embedding {
    /// The length of the first numbers as a share of the whole length.
    fileprivate func share(ofFirst count: Int) -> Float {
        Float(values[..<count].reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot() / norm)
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
struct SearchFloors {
    private let depth: Int
    /// By phrase, the best scores so far, best first.
    private var bestWords: [[Double]]
    private var bestCosines: [[Double]]
    /// By phrase.
    private(set) var words: [Double]
    /// For all phrases together, since one search looks for all of them.
    private(set) var cosine = -Float.infinity

    init(_ query: SnapshotQuery) {
        depth = query.depth
        bestWords = query.phrases.map { _ in [] }
        bestCosines = bestWords
        words = query.phrases.map { _ in 0 }
    }

    mutating func rise(by found: [SegmentFindings.Found]) {
        var least = Double.infinity
        for phrase in found.indices {
            bestWords[phrase] = Self.merged(bestWords[phrase], found[phrase].byWords.map(\.words), depth)
            if bestWords[phrase].count == depth { words[phrase] = bestWords[phrase][depth - 1] }
            guard found[phrase].hasMeaning else { continue }
            bestCosines[phrase] = Self.merged(
                bestCosines[phrase],
                found[phrase].byMeaning.compactMap(\.cosine),
                depth
            )
            least = min(least, bestCosines[phrase].count == depth ? bestCosines[phrase][depth - 1] : -.infinity)
        }
        if least.isFinite { cosine = Float(least) }
    }

    private static func merged(_ left: [Double], _ right: [Double], _ depth: Int) -> [Double] {
        guard !right.isEmpty else { return left }
        return Array((left + right).sorted(by: >).prefix(depth))
    }
}
