import StageGraph

extension SetRules {
    /// The places of the best of a ranking that a set is searched among: all, or so many.
    ///
    /// Where there are more, one that is nearly the same as a better one takes no place: ten thousand copies of one offer
    /// would otherwise hide everything else.
    func considered(of ranking: Ranking<Offer>, atMost limit: Int) -> [Int] {
        let entries = ranking.entries
        guard entries.count > limit, noNearDuplicates else { return Array(entries.indices.prefix(limit)) }
        var places: [Int] = []
        places.reserveCapacity(limit)
        for place in entries.indices {
            if places.count == limit { break }
            let offer = entries[place].item
            if !places.contains(where: { Sameness.isNearDuplicate(entries[$0].item, offer) }) { places.append(place) }
        }
        return places
    }
}
