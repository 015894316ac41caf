import KnotDomain
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
        let limit = node.parameters[SelectExact.poolLimit]
        let chosenPlaces = ranking.entries.indices.filter { chosen.contains(ranking.entries[$0].item.itemID) }
        guard let last = chosenPlaces.last, last < limit else { return nil }
        var rules = SetRules(node.parameters)
        if case .success(let choices) = findings.run.result { rules = rules.without(choices.relaxations) }
        return SetJudge(
            entries: Array(ranking.entries.prefix(limit)),
            chosen: chosenPlaces,
            lost: Set(lost.keys),
            strength: node.parameters[SelectExact.strength],
            rules: rules,
            brief: brief,
            limit: limit
        )
    }
}

extension SetRules {
    /// These rules without those that had to give way.
    fileprivate func without(_ relaxations: [Relaxation]) -> SetRules {
        let given = Set(relaxations.map(\.rule))
        return SetRules(
            distinctMerchants: distinctMerchants && !given.contains(Self.distinctMerchants.name),
            noNearDuplicates: noNearDuplicates && !given.contains(Self.noNearDuplicates.name),
            twoTypes: twoTypes && !given.contains(Self.twoTypes.name)
        )
    }
}
