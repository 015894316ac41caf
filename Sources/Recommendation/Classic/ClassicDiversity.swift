import KnotDomain
package import StageGraph

/// The original's diversity: the best first, then whoever adds most unseen among price tier, type and merchant.
package struct ClassicDiversity: SelectStage {
    package static let kind = "classic.diversity"
    package static let summary = "The best first, then whoever adds most unseen tier, type and merchant."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func select(
        from ranking: Ranking<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Selection<Offer> {
        let budget = try inputs.value(Self.brief).budget
        var chosen: [Int] = []
        while chosen.count < min(3, ranking.entries.count) {
            let seen = Set(chosen.flatMap { Self.facets(of: ranking.entries[$0].item, in: budget) })
            let open = ranking.entries.indices.filter { !chosen.contains($0) }
            let best = open.max { left, right in
                let gains = (gain(left, seen, ranking, budget), gain(right, seen, ranking, budget))
                if !chosen.isEmpty, gains.0 != gains.1 { return gains.0 < gains.1 }
                let (first, second) = (ranking.entries[left], ranking.entries[right])
                if first.score != second.score { return first.score < second.score }
                return first.item.candidate.title > second.item.candidate.title
            }
            guard let best else { break }
            chosen.append(best)
        }
        let others = ranking.entries.indices.filter { !chosen.contains($0) }
        return Selection(
            selected: chosen.map { ranking.entries[$0] },
            reserve: others.map { ranking.entries[$0] },
            rest: []
        )
    }

    private func gain(_ place: Int, _ seen: Set<String>, _ ranking: Ranking<Offer>, _ budget: Budget) -> Int {
        Self.facets(of: ranking.entries[place].item, in: budget).filter { !seen.contains($0) }.count
    }

    /// An unknown price counts as the middle third; bare cents, whatever the currency.
    private static func facets(of offer: Offer, in budget: Budget) -> [String] {
        let tier = offer.candidate.priceCents.map { SetObjective.third(of: $0, in: budget) } ?? 1
        return ["tier \(tier)", "type \(offer.candidate.type.rawValue)", "merchant \(offer.candidate.merchant ?? "")"]
    }
}
