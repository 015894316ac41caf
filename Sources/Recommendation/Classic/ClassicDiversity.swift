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
        let brief = try inputs.value(Self.brief)
        let budget = brief.budget
        let facets = ranking.entries.map { Self.facets(of: $0.item, in: budget) }
        var chosen = brief.kept(among: ranking.entries)
        while chosen.count < min(3, ranking.entries.count) {
            let seen = Set(chosen.flatMap { facets[$0] })
            let gains = facets.map { facets in facets.count { !seen.contains($0) } }
            let open = ranking.entries.indices.filter { !chosen.contains($0) }
            let best = open.max { left, right in
                if !chosen.isEmpty, gains[left] != gains[right] { return gains[left] < gains[right] }
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

    /// An unknown price counts as the middle third; bare cents, whatever the currency.
    private static func facets(of offer: Offer, in budget: Budget) -> [String] {
        let tier = offer.candidate.priceCents.map { SetObjective.third(of: $0, in: budget) } ?? 1
        return ["tier \(tier)", "type \(offer.candidate.type.rawValue)", "merchant \(offer.candidate.merchant ?? "")"]
    }
}
