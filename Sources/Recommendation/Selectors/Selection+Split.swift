import StageGraph

extension Selection where Item == Offer {
    /// The chosen places of a ranking in its order, the next best as the reserve, and the names of all others.
    static func split(
        _ ranking: Ranking<Offer>,
        chosen: [Int],
        reserve: Int,
        relaxations: [Relaxation]
    ) -> Selection<Offer> {
        let taken = Set(chosen)
        let others = ranking.entries.indices.filter { !taken.contains($0) }
        return Selection(
            selected: chosen.sorted().map { ranking.entries[$0] },
            reserve: others.prefix(reserve).map { ranking.entries[$0] },
            rest: others.dropFirst(reserve).map { ranking.entries[$0].item.itemID },
            relaxations: relaxations
        )
    }
}
