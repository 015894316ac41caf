package import Catalogue
import Foundation
import KnotDomain
package import VectorSearch

/// Offers of a seed: words by Zipf, prices in several currencies, towns, parcels, events, and vectors for most.
package struct InventedCatalogue {
    package static let model = "invented"
    private static let providers: [ProviderName] = [
        .yelp, .ticketmaster, .amazon, .shopify, .firecrawl, .catalogue,
    ]
    private static let currencies: [Currency] = ["USD", "EUR", "GBP", "JPY", "ZZZ"].compactMap { Currency($0) }
    private static let towns = [
        Place(city: "Portland", state: "OR", country: "US"), Place(city: "Portland", state: "ME", country: "US"),
        Place(city: "Berlin", state: nil, country: "DE"), Place(city: "Nowhere", state: nil, country: nil),
    ]

    private var random: SeededRandom

    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// A word, the first ones much more often than the last.
    package mutating func word() -> String {
        let rank = Int(exp(Double.random(in: 0..<log(4_000), using: &random)))
        let letters = Array("bdfgklmnprstvz")
        let vowels = Array("aeiou")
        var (word, rest) = ("", rank + 300)
        while rest > 0 {
            word.append(letters[rest % letters.count])
            word.append(vowels[rest / letters.count % vowels.count])
            rest /= letters.count * vowels.count
        }
        return word + "r"
    }

    package mutating func words(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    package mutating func vector() -> Embedding? {
        var values = [Float](repeating: 0, count: Embedding.dimension)
        for axis in 0..<24 { values[axis] = Float.random(in: -1...1, using: &random) }
        return Embedding(values, model: Self.model)
    }

    package mutating func item(_ number: Int) -> CatalogueItem {
        let type = CandidateType.allCases.randomElement(using: &random) ?? .gift
        let isPriced = Int.random(in: 0..<10, using: &random) > 0
        let start = Int64.random(in: 1_780_000_000...1_800_000_000, using: &random) * 1_000
        let hasPlace = type != .gift || Int.random(in: 0..<4, using: &random) == 0
        let candidate = Candidate(
            id: CandidateID("offer-\(number)"),
            provider: Self.providers.randomElement(using: &random) ?? .catalogue,
            type: type,
            title: words(Int.random(in: 1...6, using: &random)),
            description: Bool.random(using: &random) ? words(Int.random(in: 1...50, using: &random)) : nil,
            url: "https://shop.example/\(number)",
            imageURL: nil,
            priceCents: isPriced ? Int.random(in: 0...30_000, using: &random) : nil,
            currency: Self.currencies.randomElement(using: &random) ?? .usd,
            merchant: Int.random(in: 0..<3, using: &random) > 0
                ? "Shop \(Int.random(in: 0..<40, using: &random))" : nil,
            location: hasPlace ? Self.towns.randomElement(using: &random) : nil,
            startsAt: type == .gift ? nil : Instant(millisecondsSinceEpoch: start),
            rating: nil,
            reviewCount: nil,
            shipsInDays: Bool.random(using: &random) ? Int.random(in: 0...40, using: &random) : nil,
            tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in word() }
        )
        return CatalogueItem(candidate, vector: Int.random(in: 0..<5, using: &random) == 0 ? nil : vector())
    }

    package mutating func items(_ numbers: Range<Int>) -> [CatalogueItem] { numbers.map { item($0) } }

    package mutating func phrases(_ count: Int) -> [CatalogueIndex.Phrase] {
        (0..<count).map { _ in
            CatalogueIndex.Phrase(
                text: words(Int.random(in: 1...4, using: &random)),
                vector: Int.random(in: 0..<6, using: &random) == 0 ? nil : vector()
            )
        }
    }

    package mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
}
