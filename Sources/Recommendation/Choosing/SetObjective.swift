import KnotDomain
import StageGraph
import TextEncoding

/// What makes three offers a good set: their mean score, and how different the choices they give are.
package struct SetObjective: Sendable {
    /// 0 asks for the three best, 1 for the three most different.
    let strength: Double
    let rules: SetRules

    /// The facts of one offer that a set is judged by.
    struct Trait: Sendable {
        let score: Double
        let stems: StemSet
        let type: CandidateType
        let hint: String?
        let tier: Int?
        let merchant: String?
    }

    static func trait(of ranked: Ranked<Offer>, in brief: Brief) -> Trait {
        let offer = ranked.item
        let total = offer.price.total(of: offer.candidate, in: brief.budget, rates: brief.rates)
        let hints = ranked.total.evidence.filter { $0.kind == "hint" }
        return Trait(
            score: Self.usable(ranked.score),
            stems: offer.words.headSet,
            type: offer.candidate.type,
            hint: hints.max { $0.weight < $1.weight }.flatMap { $0.weight >= 0.25 ? $0.ref : nil },
            tier: total.map { Self.third(of: $0, in: brief.budget) },
            merchant: offer.words.merchant
        )
    }

    /// What is no number counts less than any score, as the graph's order has it; absurd ones are capped.
    private static func usable(_ score: Double) -> Double { score.isFinite ? min(1e6, max(-1e6, score)) : -1e6 }

    /// Which third of the budget a total lies in.
    static func third(of total: Int, in budget: Budget) -> Int {
        // In floating point, so that no vault's budget and no listing's price can overflow it.
        let width = max(1, Double(budget.maximum) - Double(budget.minimum) + 1)
        let place = (Double(total) - Double(budget.minimum)) * 3 / width
        return place >= 2 ? 2 : place >= 1 ? 1 : 0
    }

    /// How different two offers are as choices, 0 to 1.
    func distance(_ left: Trait, _ right: Trait) -> Double {
        var distance = 0.3 * (1 - Sameness.overlap(left.stems, right.stems))
        if left.hint == nil || left.hint != right.hint { distance += 0.4 }
        if left.type != right.type { distance += 0.15 }
        if left.tier == nil || left.tier != right.tier { distance += 0.1 }
        if left.merchant == nil || left.merchant != right.merchant { distance += 0.05 }
        return distance
    }

    /// The value of a set of up to three; adding places are taken in the order of the indexes, so equal sets are equal.
    func value(of set: [Int], _ traits: [Trait], _ distances: (Int, Int) -> Double) -> Double {
        guard !set.isEmpty else { return 0 }
        let relevance = set.reduce(0) { $0 + traits[$1].score } / 3
        var spread = 0.0
        for (place, first) in set.enumerated() {
            for second in set[(place + 1)...] { spread += distances(first, second) }
        }
        return (1 - strength) * relevance + strength * spread / 3
    }
}
