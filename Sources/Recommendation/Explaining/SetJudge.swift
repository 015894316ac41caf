import KnotDomain
import StageGraph

/// Holds the best set with one more offer in it against the set that was chosen.
struct SetJudge {
    private let entries: [Ranked<Offer>]
    private let chosen: [Int]
    private let open: [Int]
    private let limit: Int
    private let rules: SetRules
    private let bound: SetSearch
    private let free: SetSearch

    init(
        entries: [Ranked<Offer>],
        chosen: [Int],
        lost: Set<ItemID>,
        strength: Double,
        rules: SetRules,
        brief: Brief,
        limit: Int
    ) {
        self.entries = entries
        self.chosen = chosen
        self.limit = limit
        self.rules = rules
        open = entries.indices.filter { !lost.contains(entries[$0].item.itemID) }
        let none = SetRules(distinctMerchants: false, noNearDuplicates: false, twoTypes: false)
        bound = SetSearch(entries, objective: SetObjective(strength: strength, rules: rules), brief: brief)
        free = SetSearch(entries, objective: SetObjective(strength: strength, rules: none), brief: brief)
    }

    /// What keeps the offer at a place of the ranking out of the set.
    func obstacle(of place: Int) -> RunnerUp.Obstacle {
        guard place < entries.count else { return .beyondSearch(limit: limit) }
        let value = bound.value(of: chosen)
        let others = open.filter { $0 != place }
        let best = bound.best(size: chosen.count, fixed: [place], open: others)
        let gap = best.map { value - bound.value(of: $0) }
        if let gap, gap <= 0, best?.sorted() != chosen.sorted() { return .survivorsStay }
        // The rule decided when the best set with the offer would win were it not for the rule.
        if let unbound = free.best(size: chosen.count, fixed: [place], open: others), free.value(of: unbound) > value,
            let (rule, beside) = broken(by: unbound, around: place)
        {
            return .rule(rule, beside: names(beside))
        }
        guard let best, let gap else { return .rule("no_set", beside: []) }
        return .lowerValue(by: gap, beside: names(best.filter { $0 != place }))
    }

    /// The strictest rule a set breaks, and with whom.
    private func broken(by set: [Int], around place: Int) -> (rule: String, beside: [Int])? {
        let pairs = set.indices.flatMap { left in set.indices.dropFirst(left + 1).map { (set[left], set[$0]) } }
        let merchants = SetRules(distinctMerchants: rules.distinctMerchants, noNearDuplicates: false, twoTypes: false)
        let sameness = SetRules(distinctMerchants: false, noNearDuplicates: rules.noNearDuplicates, twoTypes: false)
        for (name, rule) in [(SetRules.noNearDuplicates.name, sameness), (SetRules.distinctMerchants.name, merchants)] {
            // A clash between the two others says nothing about this one.
            let clashing = pairs.filter { ($0 == place || $1 == place) && !rule.allows(entries[$0], entries[$1]) }
            if !clashing.isEmpty {
                let partners = Set(clashing.flatMap { [$0, $1] }).subtracting([place])
                return (name, partners.sorted())
            }
        }
        let types = Set(set.map { entries[$0].item.candidate.type })
        let isMixed = types.count > 1 || Set(entries.map(\.item.candidate.type)).count < 2
        return rules.twoTypes && !isMixed ? (SetRules.twoTypes.name, set.filter { $0 != place }.sorted()) : nil
    }

    private func names(_ places: [Int]) -> [CandidateID] {
        places.sorted().map { entries[$0].item.candidate.id }
    }
}
