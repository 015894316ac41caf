import KnotDomain
package import StageGraph
import TextReading
import VectorSearch

/// Merges what is the same thing, of what the rules let pass, keeping every provenance; the best offer of it stays.
///
/// The same thing is: one canonical address with a telling word or the price in common; one merchant with a near-same
/// title; gifts of two merchants in the same words; what means the same, of gifts or of outings, in one town and not at two
/// times. Titles that each have a word or a number of their own are of two things. It comes after the rules, since what they drop must not take a twin that they
/// keep along.
package struct ShortlistTwins: ShortlistStage {
    package static let kind = "shortlist.twins"
    package static let revision = 2
    package static let summary = "Merges offers of the same thing: keeps the best one and the names of all providers."
    static let meaning = OptionalPort<EmbeddingFeatures>("meaning")
    package static let inputs = [meaning.declaration]

    /// The share of common title words from which two offers of one merchant are the same.
    private static let titleOverlap = 0.8
    /// The cosine from which two offers are the same thing in other words: different things in judged pools stay below .85.
    private static let cosine = 0.95

    package init() {}

    package func shorten(
        _ pool: Pool<Offer>,
        by columns: [ScoreColumn],
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Union<Offer> {
        let alike = try alike(in: pool, inputs.value(Self.meaning))
        // Nearly always there are no twins, and then no offer need be held to be better than another.
        let usual = merges(among: pool.items, in: Array(pool.items.indices), alike)
        guard !usual.isEmpty else { return Union(items: pool.items) }
        // The better of two comes first, however they are listed.
        let order = pool.items.indices.sorted { Self.isBetter(pool.items[$0], than: pool.items[$1]) }
        return Self.union(of: pool.items, merges(among: pool.items, in: order, alike))
    }

    private typealias Absorbed = (place: Int, survivor: Int, why: String)

    /// What each is absorbed by, where those that come first in an order stay.
    private func merges(among offers: [Offer], in order: [Int], _ alike: [Int: [Int]]) -> [Absorbed] {
        var known = Known(offers)
        var isKept = [Bool](repeating: false, count: offers.count)
        var merges: [Absorbed] = []
        for place in order {
            if let (twin, why) = known.twin(of: place, overlap: Self.titleOverlap) {
                merges.append((place, twin, why))
            } else if let twin = alike[place]?.first(where: { isKept[$0] }) {
                merges.append((place, twin, "same_meaning"))
            } else {
                known.keep(place)
                isKept[place] = true
            }
        }
        return merges
    }

    /// The survivors in the pool's order, each with the provenance of what it absorbed.
    private static func union(of offers: [Offer], _ merges: [Absorbed]) -> Union<Offer> {
        var all = offers
        for merge in merges { all[merge.survivor] = all[merge.survivor].joining(all[merge.place]) }
        let absorbed = Set(merges.map(\.place))
        return Union(
            items: all.indices.filter { !absorbed.contains($0) }.map { all[$0] },
            merged: merges.map {
                Merge(absorbed: offers[$0.place].itemID, survivor: offers[$0.survivor].itemID, why: $0.why)
            }
        )
    }

    /// Known prices before unknown ones, then the cheaper, the sooner here, the better rated, and the lower id.
    private static func isBetter(_ left: Offer, than right: Offer) -> Bool {
        let (one, other) = (left.candidate, right.candidate)
        if (one.priceCents == nil) != (other.priceCents == nil) { return one.priceCents != nil }
        // Amounts of two currencies are no order; of the same thing there hardly are two.
        if one.currency != other.currency { return one.currency.code < other.currency.code }
        let (price, otherPrice) = (one.priceCents ?? 0, other.priceCents ?? 0)
        if price != otherPrice { return price < otherPrice }
        let (days, otherDays) = (one.shipsInDays ?? .max, other.shipsInDays ?? .max)
        if days != otherDays { return days < otherDays }
        let (rating, otherRating) = (ScoreQuality.usualRating(of: one), ScoreQuality.usualRating(of: other))
        return rating != otherRating ? rating > otherRating : one.id < other.id
    }
}

extension ShortlistTwins {
    /// What is kept, found by its address and its merchant.
    private struct Known {
        /// An address of more things than that leads to none of them.
        private static let mostOfOnePage = 20

        private let offers: [Offer]
        private var byAddress: [String: [Int]] = [:]
        private var byMerchant: [String: [Int]] = [:]
        private var byText: [UInt64: [Int]] = [:]

        init(_ offers: [Offer]) {
            self.offers = offers
            byAddress.reserveCapacity(offers.count)
            byMerchant.reserveCapacity(offers.count)
        }

        mutating func keep(_ place: Int) {
            let words = offers[place].words
            if byAddress[words.address]?.count ?? 0 < Self.mostOfOnePage {
                byAddress[words.address, default: []].append(place)
            }
            if let merchant = words.merchant { byMerchant[merchant, default: []].append(place) }
            if let text = offers[place].text { byText[text, default: []].append(place) }
        }

        func twin(of place: Int, overlap: Double) -> (place: Int, why: String)? {
            let words = offers[place].words
            let pages = byAddress[words.address] ?? []
            if let twin = pages.first(where: { Sameness.isOnePage(offers[$0], offers[place]) }) {
                return (twin, "same_url")
            }
            let others = words.merchant.flatMap { byMerchant[$0] } ?? []
            return others.first { Sameness.isSameProduct(offers[$0], offers[place], overlap: overlap) }
                .map { ($0, "same_merchant_and_title") }
                ?? offers[place].text.flatMap { byText[$0] }?.first { offers[$0].words.merchant != words.merchant }
                .map { ($0, "same_text") }
        }
    }

    /// For each offer those that mean the same and may be the same thing, the better ones first.
    private func alike(in pool: Pool<Offer>, _ meaning: EmbeddingFeatures?) throws(StageFailure) -> [Int: [Int]] {
        guard let meaning, meaning.isKnown else { return [:] }
        let known = pool.items.indices.compactMap { place in
            meaning.row(of: pool.items[place].itemID).map { (place: place, vector: meaning.vectors[$0]) }
        }
        let pairs: [(earlier: Int, later: Int)]
        do {
            pairs = try KernelSimilarity().pairs(among: known.map(\.vector)) { meaning.meant($0) >= Self.cosine }
        } catch {
            throw StageFailure(.data, code: "mixed_models", error.description)
        }
        var alike: [Int: [Int]] = [:]
        for pair in pairs {
            let (left, right) = (known[pair.earlier].place, known[pair.later].place)
            guard Sameness.mayBeOne(pool.items[left], pool.items[right]) else { continue }
            alike[left, default: []].append(right)
            alike[right, default: []].append(left)
        }
        return alike.mapValues { $0.sorted { Self.isBetter(pool.items[$0], than: pool.items[$1]) } }
    }
}
