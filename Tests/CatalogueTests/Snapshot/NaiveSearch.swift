import KnotDomain
import TextEncoding
import VectorSearch

@testable import Catalogue

/// A search written as its definition says it: every offer is looked at, and everything is sorted.
struct NaiveSearch {
    /// In the order in which they came.
    let items: [CatalogueItem]

    func passes(_ candidate: Candidate, _ filter: CatalogueFilter) -> Bool {
        if let types = filter.types, types[candidate.provider]?.contains(candidate.type) != true { return false }
        if let totals = filter.totals, let price = candidate.priceCents,
            let window = totals(candidate.currency), !window.contains(price)
        {
            return false
        }
        let isPosted = candidate.type == .gift && candidate.shipsInDays != nil
        if let places = filter.places, let place = candidate.location, !isPosted, !places(place) { return false }
        if let most = filter.mostShippingDays, let days = candidate.shipsInDays, days > most { return false }
        let isOfUnknownDelivery = candidate.shipsInDays == nil && candidate.location == nil
        if filter.needsShippingDays, candidate.type == .gift, isOfUnknownDelivery { return false }
        if filter.without.contains(where: { $0 == candidate.id }) { return false }
        if let start = candidate.startsAt {
            if let last = filter.lastDay, start > last.from, candidate.type != .gift,
                !last.isKept(start, candidate.location)
            {
                return false
            }
            if let after = filter.after, start <= after { return false }
            if let until = filter.until, start > until { return false }
        }
        return true
    }

    /// By phrase, the ids of the best by words and of the nearest, each with its score.
    func best(
        _ query: SnapshotQuery
    ) -> [(words: [(id: CandidateID, score: Double)], near: [(id: CandidateID, score: Float)])] {
        let ranking = BM25(fields: items.map { IndexedItem.fields(of: $0.candidate) })
        let allowed = items.indices.filter { passes(items[$0].candidate, query.filter) }
        return query.phrases.map { phrase in
            let scores = ranking.scores(ofFingerprints: WordRanking.contentFingerprints(of: phrase.text))
            let words = allowed.filter { scores[$0] > 0 }.sorted { (scores[$1], $0) < (scores[$0], $1) }
            var near: [(id: CandidateID, score: Float)] = []
            if let asked = phrase.vector {
                let held = allowed.compactMap { place in
                    items[place].vector.map { (place: place, score: Self.cosine(asked, $0)) }
                }
                near = held.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.prefix(query.depth)
                    .map { (items[$0.place].candidate.id, Float($0.score)) }
            }
            return (words.prefix(query.depth).map { (items[$0].candidate.id, scores[$0]) }, near)
        }
    }

    private static func cosine(_ left: Embedding, _ right: Embedding) -> Double {
        var sum = 0.0
        for (one, other) in zip(left.values, right.values) { sum += Double(one) * Double(other) }
        return sum / (left.norm * right.norm)
    }
}
