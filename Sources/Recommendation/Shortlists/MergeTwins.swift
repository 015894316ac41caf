import KnotDomain
package import StageGraph
import VectorSearch

/// Merges what is the same thing, of what the rules let pass, keeping every provenance; the best offer of it stays.
///
/// The same thing is: one canonical address; one merchant with a near-same title; what means the same, of one type, at one
/// time and in one town. It comes after the rules, since what they drop must not take a twin that they keep along.
package struct MergeTwins: ShortlistStage {
    package static let kind = "shortlist.twins"
    package static let summary = "Merges what is the same thing, keeping the best offer of it and every provenance."
    static let meaning = OptionalPort<PoolMeaning>("meaning")
    package static let inputs = [meaning.declaration]

    static let titleOverlap = Parameter<Double>(
        "title_overlap",
        default: 0.8,
        in: 0.5...1,
        "Share of title words in common from which two titles of one merchant are one."
    )
    static let cosine = Parameter<Double>(
        "cosine",
        default: 0.95,
        in: 0.5...1,
        "Cosine from which two offers are the same thing in other words."
    )
    package static let parameters = [titleOverlap.declaration, cosine.declaration]

    private let titleOverlap: Double
    private let cosine: Double
    private let ports: StagePorts

    package init(_ parameters: ParameterValues, ports: StagePorts) {
        titleOverlap = parameters[Self.titleOverlap]
        cosine = parameters[Self.cosine]
        self.ports = ports
    }

    package func shorten(
        _ pool: Pool<Offer>,
        by columns: [ScoreColumn],
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Union<Offer> {
        var known = Known(pool.items)
        var likeness = try likeness(in: pool, inputs.value(Self.meaning))
        var isKept = [Bool](repeating: false, count: pool.items.count)
        var merges: [(absorbed: Int, survivor: Int, why: String)] = []
        // The better of two comes first, however they are listed.
        for place in pool.items.indices.sorted(by: { Self.isBetter(pool.items[$0], than: pool.items[$1]) }) {
            if let (twin, why) = known.twin(of: place, overlap: titleOverlap) ?? likeness?.twin(of: place, cosine) {
                merges.append((place, twin, why))
            } else {
                known.keep(place)
                likeness?.keep(place)
                isKept[place] = true
            }
        }
        return Self.union(of: pool.items, merges, isKept)
    }

    /// The survivors in the pool's order, each with the provenance of what it absorbed.
    private static func union(
        of offers: [Offer],
        _ merges: [(absorbed: Int, survivor: Int, why: String)],
        _ isKept: [Bool]
    ) -> Union<Offer> {
        guard !merges.isEmpty else { return Union(items: offers) }
        var offers = offers
        for merge in merges { offers[merge.survivor] = offers[merge.survivor].joining(offers[merge.absorbed]) }
        return Union(
            items: offers.indices.filter { isKept[$0] }.map { offers[$0] },
            merged: merges.map {
                Merge(absorbed: offers[$0.absorbed].itemID, survivor: offers[$0.survivor].itemID, why: $0.why)
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

extension MergeTwins {
    /// What is kept, found by its address and its merchant.
    private struct Known {
        private let offers: [Offer]
        private var byAddress: [String: Int] = [:]
        private var byMerchant: [String: [Int]] = [:]

        init(_ offers: [Offer]) {
            self.offers = offers
            byAddress.reserveCapacity(offers.count)
            byMerchant.reserveCapacity(offers.count)
        }

        mutating func keep(_ place: Int) {
            let words = offers[place].words
            byAddress[words.address] = place
            if let merchant = words.merchant { byMerchant[merchant, default: []].append(place) }
        }

        func twin(of place: Int, overlap: Double) -> (place: Int, why: String)? {
            let words = offers[place].words
            if let twin = byAddress[words.address] { return (twin, "same_url") }
            let others = words.merchant.flatMap { byMerchant[$0] } ?? []
            return others.first { Sameness.isSameProduct(offers[$0], offers[place], overlap: overlap) }
                .map { ($0, "same_merchant_and_title") }
        }
    }

    /// What is kept, and how alike offers are in meaning.
    private struct Likeness {
        let offers: [Offer]
        /// The row of each offer that has words.
        let rows: [Int?]
        let table: SimilarityTable
        let meaning: PoolMeaning
        var kept: [Int] = []

        mutating func keep(_ place: Int) {
            if rows[place] != nil { kept.append(place) }
        }

        func twin(of place: Int, _ cosine: Double) -> (place: Int, why: String)? {
            guard let row = rows[place] else { return nil }
            let candidate = offers[place].candidate
            return kept.first { other in
                guard let column = rows[other], meaning.meant(table[row, column]) >= cosine else { return false }
                let known = offers[other].candidate
                return known.type == candidate.type && known.startsAt == candidate.startsAt
                    && known.location?.city == candidate.location?.city
            }.map { ($0, "same_meaning") }
        }
    }

    private func likeness(
        in pool: Pool<Offer>,
        _ meaning: PoolMeaning?
    ) throws(StageFailure) -> Likeness? {
        guard let meaning, meaning.isKnown else { return nil }
        var vectors: [Embedding] = []
        let rows = pool.items.map { offer -> Int? in
            guard let row = meaning.row(of: offer.itemID) else { return nil }
            vectors.append(meaning.vectors[row])
            return vectors.count - 1
        }
        guard vectors.count > 1 else { return nil }
        do {
            return Likeness(
                offers: pool.items,
                rows: rows,
                table: try ports.similarity.similarities(of: vectors, to: vectors),
                meaning: meaning
            )
        } catch {
            throw StageFailure(.data, code: "mixed_models", error.description)
        }
    }
}
