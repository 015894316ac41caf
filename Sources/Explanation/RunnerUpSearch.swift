package import KnotDomain
import Recommendation
import StageGraph

/// Finds the best that were not chosen and asks the selector's own objective why.
struct RunnerUpSearch {
    private let findings: RunFindings
    private let ranking: Ranking<Offer>
    private let chosen: Set<ItemID>
    private let lost: [ItemID: Removal]

    /// Nil for a run without a choice.
    init?(_ findings: RunFindings) {
        guard let ranking = findings.ranking, !findings.choices.isEmpty else { return nil }
        self.findings = findings
        self.ranking = ranking
        chosen = Set(findings.choices.map { $0.offer.itemID })
        var lost: [ItemID: Removal] = [:]
        for section in findings.run.report.trace.sections {
            for case .item(.lost(let removal)) in section.entries { lost[removal.item] = removal }
        }
        self.lost = lost
    }

    /// The best that were not chosen, best first.
    func runnersUp(limit: Int) -> [RunnerUp] {
        let lowest = findings.choices.map(\.ranked.score).min() ?? 0
        let others = ranking.entries.indices.filter { !chosen.contains(ranking.entries[$0].item.itemID) }
        let judge = setJudge()
        return others.prefix(limit).map { place in
            let entry = ranking.entries[place]
            return RunnerUp(
                candidate: entry.item.candidate.id,
                title: entry.item.candidate.title,
                rank: place + 1,
                score: entry.score,
                gap: lowest - entry.score,
                obstacle: obstacle(of: place, judge)
            )
        }
    }

    private func obstacle(of place: Int, _ judge: SetJudge?) -> RunnerUp.Obstacle {
        let item = ranking.entries[place].item.itemID
        if let removal = lost[item] { return .lost(reason: removal.reason, evidence: removal.evidence) }
        guard let judge else { return .passedOver(selector: findings.selector?.stage.kind ?? "?") }
        return judge.obstacle(of: place)
    }

    /// Only the exact selector has a value of whole sets that others can be measured with.
    private func setJudge() -> SetJudge? {
        guard let node = findings.selector, node.stage.kind == SelectExact.kind, let brief = findings.brief else {
            return nil
        }
        let limit = SelectExact.poolLimit
        let chosenPlaces = ranking.entries.indices.filter { chosen.contains(ranking.entries[$0].item.itemID) }
        guard let last = chosenPlaces.last, last < limit else { return nil }
        var rules = SetRules(node.parameters)
        if case .success(let choices) = findings.run.result {
            rules = rules.without(Set(choices.relaxations.map(\.rule)))
        }
        return SetJudge(
            entries: Array(ranking.entries.prefix(limit)),
            chosen: chosenPlaces,
            lost: Set(lost.keys),
            objective: SetObjective(node.parameters, rules: rules),
            brief: brief,
            limit: limit
        )
    }
}

/// One of the best that was not chosen, and what kept it out.
package struct RunnerUp: Sendable, Equatable {
    /// What kept it out.
    package enum Obstacle: Sendable, Equatable {
        /// The best set with it breaks a hard rule; the others are those it cannot stand beside.
        case rule(String, beside: [CandidateID])
        /// Every set with it is worth less; the others would make the best one.
        case lowerValue(by: Double, beside: [CandidateID])
        /// It would have been as good or better, but those who stood after the check were not sent away for it.
        case survivorsStay
        /// It was chosen or next in line and could not be had.
        case lost(reason: String, evidence: String)
        /// It came after the last one the search looks at.
        case beyondSearch(limit: Int)
        /// The selector goes by something else than the value of the whole set.
        case passedOver(selector: String)
    }

    package let candidate: CandidateID
    package let title: String
    /// Its place in the ranking, from 1.
    package let rank: Int
    package let score: Double
    /// How far its score is below the lowest of the three; negative when it is above.
    package let gap: Double
    package let obstacle: Obstacle
}

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
        objective: SetObjective,
        brief: Brief,
        limit: Int
    ) {
        self.entries = entries
        self.chosen = chosen
        self.limit = limit
        rules = objective.rules
        open = entries.indices.filter { !lost.contains(entries[$0].item.itemID) }
        bound = SetSearch(entries, objective: objective, brief: brief)
        free = SetSearch(entries, objective: SetObjective(objective, rules: Self.none), brief: brief)
    }

    private static let none = SetRules(distinctMerchants: false, noNearDuplicates: false)

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
        var (sameness, merchants, kinds) = (Self.none, Self.none, Self.none)
        sameness.noNearDuplicates = rules.noNearDuplicates
        merchants.distinctMerchants = rules.distinctMerchants
        kinds.distinctKinds = rules.distinctKinds
        let strictest = [
            (SetRules.noNearDuplicates.name, sameness), (SetRules.distinctMerchants.name, merchants),
            (SetRules.distinctKinds.name, kinds),
        ]
        for (name, rule) in strictest {
            // A clash between the two others says nothing about this one.
            let clashing = pairs.filter { ($0 == place || $1 == place) && !rule.allows(entries[$0], entries[$1]) }
            if !clashing.isEmpty {
                let partners = Set(clashing.flatMap { [$0, $1] }).subtracting([place])
                return (name, partners.sorted())
            }
        }
        return nil
    }

    private func names(_ places: [Int]) -> [CandidateID] {
        places.sorted().map { entries[$0].item.candidate.id }
    }
}
