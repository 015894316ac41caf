package import Catalogue
package import KnotDomain
import VectorSearch

/// Offers and changes that two processes invent alike, so that one knows what the other was about to write.
package enum InventedOffers {
    /// What a round does to a catalogue.
    package struct Change {
        package var startsAnew = false
        package var added: [CatalogueItem] = []
        package var removed: [CandidateID] = []

        package var isSomething: Bool { startsAnew || !added.isEmpty || !removed.isEmpty }

        /// What there is after it.
        package func applied(to items: [CandidateID: CatalogueItem]) -> [CandidateID: CatalogueItem] {
            var items = startsAnew ? [:] : items
            for id in removed { items[id] = nil }
            for item in added { items[item.candidate.id] = item }
            return items
        }
    }

    /// Few, so that rounds of a few offers make segments that are merged.
    package static let segmentItems = 40

    /// `build` makes everything anew, `change` brings, changes and withdraws offers, `merge` does nothing but join segments.
    package static func change(_ name: String, round: Int) -> Change {
        switch name {
        case "build": Change(startsAnew: true, added: (0..<100).map { item($0, round) })
        case "change":
            Change(
                added: (0..<12).map { item((round * 7 + $0 * 3) % 150, round) },
                removed: (0..<5).map { id((round * 11 + $0 * 13) % 150) }
            )
        default: Change()
        }
    }

    private static func id(_ number: Int) -> CandidateID { CandidateID("offer-\(number)") }

    /// An offer as it is from a round on.
    private static func item(_ number: Int, _ round: Int) -> CatalogueItem {
        let candidate = Candidate(
            id: id(number),
            provider: [.amazon, .shopify, .catalogue][number % 3],
            type: .gift,
            title: "Offer \(number) of round \(round)",
            description: "kept whole" + String(repeating: " and unbroken", count: number % 9),
            url: "https://shop.example/\(number)",
            imageURL: nil,
            priceCents: 1_000 + number * 10 + round,
            currency: .usd,
            merchant: "Shop \(number % 7)",
            location: nil,
            startsAt: nil,
            rating: nil,
            reviewCount: nil,
            shipsInDays: number % 30,
            tags: ["round \(round)"]
        )
        guard number % 4 > 0 else { return CatalogueItem(candidate) }
        var values = [Float](repeating: 0, count: Embedding.dimension)
        for axis in 0..<16 { values[axis] = Float((number * 31 + round * 17 + axis * 7) % 101) - 50 }
        return CatalogueItem(candidate, vector: Embedding(values, model: "invented"))
    }
}
