import Foundation
import KnotRecommendation

/// Offers of a seed, as whoever invented them knows them.
struct Stock {
    struct Row {
        let words: [String]
        let kind: OfferFilter.Kind
        let provider: String
        let cents: Int?
        let currency: String
        let days: Int?
        let vector: [Float]?

        func hasWord(_ word: String) -> Bool { words.contains(word) }

        func passes(_ filter: OfferFilter) -> Bool {
            filter.kinds?.contains(kind) ?? true && filter.providers?.contains(provider) ?? true
                && filter.total.map { window in
                    cents.map { window.currency == currency && window.cents.contains($0) } ?? true
                } ?? true && filter.mostShippingDays.map { most in days.map { $0 <= most } ?? true } ?? true
        }
    }

    static let vocabulary = ["garden", "opera", "lamp", "kneeler", "tea", "map", "star", "violin", "canoe", "saffron"]

    private(set) var rows: [Row] = []
    private var state: UInt64

    init(seed: UInt64, count: Int) {
        state = seed
        for _ in 0..<count {
            let words = (0..<3).map { _ in word() }
            rows.append(
                Row(
                    words: words,
                    kind: number(3) < 2 ? .gift : .experience,
                    provider: ["amazon", "shopify", "catalogue"][number(3)],
                    cents: number(6) == 0 ? nil : number(12_000),
                    currency: number(4) == 0 ? "EUR" : "USD",
                    days: number(3) == 0 ? nil : number(20),
                    vector: number(4) == 0 ? nil : vector()
                )
            )
        }
    }

    /// A number from 0 up to another, by splitmix64.
    mutating func number(_ below: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(below))
    }

    mutating func word() -> String { Self.vocabulary[number(Self.vocabulary.count)] }

    mutating func vector() -> [Float] { (0..<4).map { _ in Float(number(2_001) - 1_000) + 0.5 } }

    mutating func filter() -> OfferFilter {
        var filter = OfferFilter()
        if number(2) == 0 { filter.kinds = number(2) == 0 ? [.gift] : [.experience, .date] }
        if number(2) == 0 { filter.providers = number(2) == 0 ? ["amazon"] : ["amazon", "catalogue", "nobody"] }
        if number(2) == 0 {
            let low = number(4_000)
            filter.total = OfferFilter.Window(low...low + number(8_000), currency: number(3) == 0 ? "EUR" : "USD")
        }
        if number(3) == 0 { filter.mostShippingDays = number(20) }
        return filter
    }

    /// As a server gets them.
    func json() throws -> [UInt8] {
        let list = rows.enumerated().map { place, row -> [String: Any] in
            [
                "id": "o\(place)", "provider": row.provider, "type": row.kind.rawValue,
                "title": row.words.joined(separator: " "), "description": NSNull(),
                "url": "https://shop.example/\(place)", "image_url": NSNull(),
                "price_cents": row.cents.map { $0 as Any } ?? NSNull(), "currency": row.currency,
                "merchant": NSNull(), "location": NSNull(), "starts_at": NSNull(), "rating": NSNull(),
                "review_count": NSNull(), "ships_in_days": row.days.map { $0 as Any } ?? NSNull(), "tags": [String](),
            ]
        }
        return [UInt8](try JSONSerialization.data(withJSONObject: list))
    }

    func offers() throws -> [IndexedOffer] {
        zip(try Offer.list(json: try json()), rows).map { offer, row in
            IndexedOffer(offer, vector: row.vector.map { MeaningVector($0, model: "m") })
        }
    }

    static func cosine(_ one: [Float], _ other: [Float]) -> Double {
        let product = { (left: [Float], right: [Float]) in
            zip(left, right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        }
        return product(one, other) / (product(one, one) * product(other, other)).squareRoot()
    }
}
