import Catalogue
import Glibc
import KnotDomain
import VectorSearch

/// Offers of a seed: 20 to 60 words by Zipf, prices of a shop, towns, parcels, and vectors in clusters whose spectrum decays
/// as an encoder's does.
struct GeneratedOffers {
    static let ownModel = "generated"
    static let dimension = 384
    private static let vocabulary = 60_000
    private static let clusters = 2_000

    /// Whose vectors these are said to be: a run compares by meaning only where they are its own model's.
    private let model: String
    private var state: UInt64
    /// Of word ranks: the sum of all weights up to each.
    private let sums: [Double]
    private let scales: [Float]
    private var centres: [[Float]]
    private static let currencies = ["USD", "USD", "USD", "EUR", "GBP"].compactMap { Currency($0) }
    private static let towns = (0..<400).map { Place(city: "Town \($0)", state: nil, country: "US") }

    init(seed: UInt64, model: String = Self.ownModel) {
        self.model = model
        state = seed
        var sum = 0.0
        sums = (1...Self.vocabulary).map { rank in
            sum += 1 / Double(rank)
            return sum
        }
        scales = (0..<Self.dimension).map { 1 / sqrtf(1 + Float($0) / 24) }
        centres = []
        // The centres are the same for every seed, so that what is asked is near to what there is.
        let own = state
        state = 99
        var made: [[Float]] = []
        for _ in 0..<Self.clusters { made.append(normal()) }
        centres = made
        state = own
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    private mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Numbers of a bell curve, wide in the first dimensions and narrow in the last.
    private mutating func normal() -> [Float] {
        scales.map { scale in
            // Four even numbers make a bell that is good enough.
            let bits = next()
            let sum = (0..<4).reduce(Float(0)) { $0 + Float(bits >> UInt64($1 * 16) & 0xFFFF) / 65_536 } - 2
            return sum * scale
        }
    }

    private mutating func word() -> String {
        let wanted = unit() * sums[Self.vocabulary - 1]
        var (low, high) = (0, Self.vocabulary - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return Self.spelt(low)
    }

    private static let onsets = Array("bdfgklmnprtvz")
    private static let vowels = Array("aeiou")

    private static func spelt(_ rank: Int) -> String {
        var (text, rest) = ("", rank + 70)
        while rest > 0 {
            text.append(onsets[rest % onsets.count])
            text.append(vowels[rest / onsets.count % vowels.count])
            rest /= onsets.count * vowels.count
        }
        return text + "m"
    }

    private mutating func words(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    private mutating func vector() -> Embedding? {
        let centre = centres[below(Self.clusters)]
        var values = zip(centre, normal()).map { $0 + 0.8 * $1 }
        let length = sqrtf(values.reduce(0) { $0 + $1 * $1 })
        for place in values.indices { values[place] /= length }
        return Embedding(values + [Float](repeating: 0, count: Embedding.dimension - values.count), model: model)
    }

    mutating func items(_ numbers: Range<Int>) -> [CatalogueItem] { numbers.map { item($0) } }

    private mutating func item(_ number: Int) -> CatalogueItem {
        let type = CandidateType.allCases[below(10) < 7 ? 0 : 1 + below(2)]
        let length = 20 + below(41)
        let titleLength = 3 + below(6)
        let candidate = Candidate(
            id: CandidateID("offer-\(number)"),
            provider: type == .gift ? [.amazon, .shopify, .catalogue][below(3)] : [.yelp, .ticketmaster][below(2)],
            type: type,
            title: words(titleLength),
            description: words(length - titleLength),
            url: "https://shop.example/\(number)",
            imageURL: nil,
            priceCents: below(20) == 0 ? nil : Int(500 * exp(unit() * 5)),
            currency: Self.currencies[below(Self.currencies.count)],
            merchant: "Shop \(below(5_000))",
            location: type == .gift ? nil : Self.towns[below(Self.towns.count)],
            startsAt: nil,
            rating: nil,
            reviewCount: nil,
            shipsInDays: type == .gift ? below(30) : nil,
            tags: [word(), word()]
        )
        return CatalogueItem(candidate, vector: vector())
    }

    mutating func phrases(_ count: Int) -> [CatalogueIndex.Phrase] {
        (0..<count).map { _ in CatalogueIndex.Phrase(text: words(1 + below(4)), vector: vector()) }
    }

    mutating func limits() -> GeneratedLimits {
        let low = 1_000 + below(4_000)
        let high = low * (2 + below(4))
        let home = below(Self.towns.count)
        return GeneratedLimits(low: low, high: high, town: Self.towns[home], mostShippingDays: 5 + below(25))
    }

    mutating func filter() -> CatalogueFilter { limits().filter }
}

/// What a vault lets pass: a budget, one town, and what comes in time.
struct GeneratedLimits {
    /// In cents of dollars; three quarters of both in any other currency.
    let low: Int
    let high: Int
    let town: Place
    let mostShippingDays: Int

    var filter: CatalogueFilter {
        var filter = CatalogueFilter()
        filter.totals = { [low, high] currency in currency.code == "USD" ? low...high : low * 3 / 4...high * 3 / 4 }
        filter.places = { [town] in $0 == town }
        filter.mostShippingDays = mostShippingDays
        return filter
    }
}
