import Catalogue
import KnotDomain
import TextEncoding
import VectorSearch

/// A catalogue as its definition says it: every offer is looked at, scores are sums in doubles, and nothing is indexed.
///
/// Offers have no hours here, since those of `GeneratedOffers` have none.
struct PlainCatalogue: Sendable {
    /// A filter by the numbers of what offers have.
    struct Filter: Sendable {
        /// By provider and type.
        var kinds = [Bool](repeating: true, count: PlainCatalogue.providers.count * CandidateType.allCases.count)
        /// By currency, what it may cost.
        var windows: [ClosedRange<Int>]?
        var towns: Set<String>?
        var mostDays: Int?

        var catalogueFilter: CatalogueFilter {
            let kinds = kinds
            var filter = CatalogueFilter()
            filter.types = Dictionary(
                uniqueKeysWithValues: PlainCatalogue.providers.enumerated().map { number, provider in
                    let types = CandidateType.allCases.enumerated()
                        .filter { kinds[number * CandidateType.allCases.count + $0.offset] }.map(\.element)
                    return (provider, Set(types))
                }
            )
            if let windows {
                filter.totals = { currency in
                    PlainCatalogue.currencies.firstIndex(of: currency.code).map { windows[$0] }
                }
            }
            if let towns { filter.places = { $0.city.map(towns.contains) ?? true } }
            filter.mostShippingDays = mostDays
            return filter
        }
    }

    /// What a phrase scores for every offer; the words' part 0 where none occurs.
    struct Scores: Sendable {
        let words: [Double]
        let cosines: [Float]
    }

    static let providers: [ProviderName] = [.amazon, .shopify, .catalogue, .yelp, .ticketmaster]
    static let currencies = ["USD", "EUR", "GBP"]
    private static let lanes = 16

    /// By the order in which offers came: which are still offered.
    private(set) var isLive: [Bool] = []
    private var kinds: [UInt8] = []
    private var prices: [Int32] = []
    private var money: [UInt8] = []
    private var towns: [String?] = []
    private var days: [Int16] = []
    private var vectors: [Float] = []
    private var norms: [Double] = []
    private var lengths: [Int32] = []
    /// Where each offer's words begin in the list of all, each with how often it counts.
    private var starts = [0]
    private var prints: [UInt64] = []
    private var times: [UInt8] = []
    private var places: [CandidateID: Int] = [:]

    var count: Int { isLive.count }

    mutating func add(_ item: CatalogueItem) {
        let candidate = item.candidate
        remove(candidate.id)
        places[candidate.id] = isLive.count
        isLive.append(true)
        let provider = Self.providers.firstIndex(of: candidate.provider) ?? 0
        let type = CandidateType.allCases.firstIndex(of: candidate.type) ?? 0
        kinds.append(UInt8(provider * CandidateType.allCases.count + type))
        prices.append(Int32(candidate.priceCents ?? -1))
        money.append(UInt8(Self.currencies.firstIndex(of: candidate.currency.code) ?? 0))
        towns.append(candidate.location?.city)
        days.append(Int16(candidate.shipsInDays ?? -1))
        let values = Array((item.vector?.values ?? []).prefix(GeneratedOffers.dimension))
        vectors += values
        norms.append(Self.product(values, values.map { Double($0) }).squareRoot())
        let text = FieldedText(
            title: candidate.title,
            tags: candidate.tags,
            body: [candidate.merchant, candidate.description].compactMap(\.self)
        )
        var length = 0
        for field in WordRanking.fields(of: text, limit: 400) {
            length += field.times * field.fingerprints.count
            for print in field.fingerprints {
                prints.append(print)
                times.append(UInt8(field.times))
            }
        }
        lengths.append(Int32(length))
        starts.append(prints.count)
    }

    mutating func remove(_ id: CandidateID) {
        if let place = places.removeValue(forKey: id) { isLive[place] = false }
    }

    // MARK: Looking at all

    /// Element i goes into lane i % 16, and the lanes are added pairwise: the order that decides about the last bits.
    private static func product(_ row: some RandomAccessCollection<Float>, _ query: [Double]) -> Double {
        var sums = [Double](repeating: 0, count: lanes)
        for (number, value) in row.enumerated() { sums[number % lanes] += Double(value) * query[number] }
        var apart = lanes / 2
        while apart > 0 {
            for lane in 0..<apart { sums[lane] += sums[lane + apart] }
            apart /= 2
        }
        return sums[0]
    }

    /// What the words of a phrase weigh: how many offers there are, how long they are, and how many hold each word.
    struct Statistics: Sendable {
        var live = 0
        var whole = 0
        var holders: [UInt64: Int] = [:]

        /// Adds those of other offers.
        mutating func add(_ other: Statistics) {
            live += other.live
            whole += other.whole
            holders.merge(other.holders, uniquingKeysWith: +)
        }
    }

    /// The statistics of these offers, for all words of some phrases.
    func statistics(of phrases: [CatalogueIndex.Phrase]) -> Statistics {
        var statistics = Statistics()
        for phrase in phrases {
            for term in WordRanking.contentFingerprints(of: phrase.text) { statistics.holders[term] = 0 }
        }
        for row in 0..<count where isLive[row] {
            statistics.live += 1
            statistics.whole += Int(lengths[row])
            for term in Set(prints[starts[row]..<starts[row + 1]]) where statistics.holders[term] != nil {
                statistics.holders[term, default: 0] += 1
            }
        }
        return statistics
    }

    /// The statistics are those of the offers themselves, unless they are a part of a catalogue.
    func scores(of phrase: CatalogueIndex.Phrase, _ statistics: Statistics? = nil) -> Scores {
        let query = (phrase.vector?.values ?? []).prefix(GeneratedOffers.dimension).map { Double($0) }
        let norm = Self.product(query.map { Float($0) }, query).squareRoot()
        let dimension = GeneratedOffers.dimension
        var cosines = [Float](repeating: 0, count: count)
        for row in 0..<count where isLive[row] {
            var sums = SIMD16<Double>(repeating: 0)
            for start in stride(from: 0, to: dimension, by: Self.lanes) {
                for lane in 0..<Self.lanes {
                    sums[lane] += Double(vectors[row * dimension + start + lane]) * query[start + lane]
                }
            }
            let eight = sums.lowHalf + sums.highHalf
            let four = eight.lowHalf + eight.highHalf
            let two = four.lowHalf + four.highHalf
            cosines[row] = Float((two[0] + two[1]) / (norm * norms[row]))
        }
        return Scores(words: words(phrase.text, statistics ?? self.statistics(of: [phrase])), cosines: cosines)
    }

    /// BM25 by its formula: each word of the phrase is looked for in each offer.
    private func words(_ text: String, _ statistics: Statistics) -> [Double] {
        var terms: [UInt64] = []
        for print in WordRanking.contentFingerprints(of: text) where !terms.contains(print) { terms.append(print) }
        var scores = [Double](repeating: 0, count: count)
        let average = statistics.live > 0 ? Double(statistics.whole) / Double(statistics.live) : 0
        for term in terms {
            var often = [Int32](repeating: 0, count: count)
            for row in 0..<count where isLive[row] {
                var sum: Int32 = 0
                for place in starts[row]..<starts[row + 1] where prints[place] == term { sum += Int32(times[place]) }
                often[row] = sum
            }
            let weight = BM25.weight(holders: statistics.holders[term] ?? 0, of: statistics.live)
            for row in 0..<count where often[row] > 0 {
                let damping = BM25.damping(ofLength: Int(lengths[row]), average: average)
                scores[row] += BM25.numerator(of: Double(often[row]), weight: weight) / (Double(often[row]) + damping)
            }
        }
        return scores
    }

    /// Which offers pass.
    func allowed(by filter: Filter) -> [Bool] {
        (0..<count).map { row in
            guard isLive[row], filter.kinds[Int(kinds[row])] else { return false }
            if let windows = filter.windows, prices[row] >= 0,
                !windows[Int(money[row])].contains(Int(prices[row]))
            {
                return false
            }
            if let wanted = filter.towns, let town = towns[row], !wanted.contains(town) { return false }
            if let most = filter.mostDays, days[row] >= 0, days[row] > most { return false }
            return true
        }
    }

    /// The best by a score, best first, equal ones in the order in which they came.
    static func best<Score: Comparable>(
        _ scores: [Score],
        _ isAllowed: [Bool],
        _ limit: Int,
        above least: Score? = nil
    ) -> [(row: Int, score: Score)] {
        var best: [(row: Int, score: Score)] = []
        for row in scores.indices where isAllowed[row] {
            let score = scores[row]
            if let least, score <= least { continue }
            if best.count == limit, let last = best.last, score <= last.score { continue }
            var place = best.count
            while place > 0, best[place - 1].score < score { place -= 1 }
            best.insert((row, score), at: place)
            if best.count > limit { best.removeLast() }
        }
        return best
    }
}
