package import KnotDomain
package import Recommendation
package import StageGraph

/// Why a run came out as it did, derived from what it left and from nothing else.
package struct RunExplanation: Sendable {
    package let run: EngineRun
    package let choices: [ChoiceExplanation]
    /// The best that were not chosen, best first.
    package let runnersUp: [RunnerUp]
    /// What took candidates out of the running, in the order of the plan.
    package let removals: [RemovalCount]
    package let relaxations: [Relaxation]
    /// Whether what hints say may be told.
    package let showsHints: Bool
    private let findings: RunFindings

    /// Without `showsHints`, hints are ids and days; so many of the best that were not chosen are looked at.
    package init(_ run: EngineRun, showsHints: Bool = false, runnersUp: Int = 5) {
        self.run = run
        self.showsHints = showsHints
        let findings = RunFindings(run)
        self.findings = findings
        choices = Self.choices(findings, showsHints: showsHints)
        self.runnersUp = RunnerUpSearch(findings)?.runnersUp(limit: runnersUp) ?? []
        removals = RemovalCount.all(in: run.report.trace)
        if case .success(let chosen) = run.result { relaxations = chosen.relaxations } else { relaxations = [] }
    }

    /// Everything that happened to one candidate.
    package func life(of candidate: CandidateID) throws(UnknownCandidateError) -> CandidateTimeline {
        try CandidateTimeline(candidate, findings, showsHints: showsHints)
    }

    private static func choices(_ findings: RunFindings, showsHints: Bool) -> [ChoiceExplanation] {
        let weights = findings.ranking.map { ScoreSummand.weights(in: $0, columns: findings.columns) } ?? [:]
        var refills: [ItemID: Int] = [:]
        for section in findings.run.report.trace.sections {
            for case .item(.chosen(let item, _, _, let from?)) in section.entries { refills[item] = from + 1 }
        }
        return findings.choices.map { choice in
            let item = choice.offer.itemID
            return ChoiceExplanation(
                position: choice.position,
                candidate: choice.offer.candidate.id,
                title: choice.offer.candidate.title,
                rank: findings.rank(of: item),
                score: choice.ranked.score,
                summands: ScoreSummand.all(
                    of: choice.ranked.total,
                    item: item,
                    weights: weights,
                    columns: findings.columns
                ),
                evidence: choice.ranked.total.evidence.map { EvidenceLine($0, findings.brief, showsHints: showsHints) },
                availability: choice.availability,
                refilledFrom: refills[item],
                reason: showsHints ? choice.reason : nil
            )
        }
    }
}

/// What a run left at its nodes, found by role and type whatever the nodes are called.
package struct RunFindings: Sendable {
    let run: EngineRun
    let brief: Brief?
    /// The ranking the set was chosen from; nil when the run did not come so far.
    package let ranking: Ranking<Offer>?
    /// The columns the ranking was made of, by the scorer's node.
    let columns: [NodeID: ScoreColumn]
    /// The selector, and what it chose.
    let selector: PlanNode?
    let selection: Selection<Offer>?
    /// The offers by id, as the last node that handed them on had them.
    let offers: [ItemID: Offer]

    package init(_ run: EngineRun) {
        self.run = run
        let plan = run.plan
        let report = run.report
        func first<Value>(_ role: StageRole, _ type: Value.Type) -> (node: PlanNode, value: Value)? {
            for index in plan.order.reversed() where plan.nodes[index].stage.role == role {
                if let value = report.output(of: plan.nodes[index].id, as: type) { return (plan.nodes[index], value) }
            }
            return nil
        }
        brief = first(.reader, Brief.self)?.value
        let combined = first(.combiner, Ranking<Offer>.self)
        ranking = combined?.value
        let chosen = first(.selector, Selection<Offer>.self)
        selector = chosen?.node
        selection = chosen?.value
        var columns: [NodeID: ScoreColumn] = [:]
        for feed in combined?.node.feeds ?? [] {
            for index in feed.nodes {
                let id = plan.nodes[index].id
                if let column = report.output(of: id, as: ScoreColumn.self) { columns[id] = column }
            }
        }
        self.columns = columns
        var offers: [ItemID: Offer] = [:]
        for index in plan.order {
            for offer in report.output(of: plan.nodes[index].id, as: Pool<Offer>.self)?.items ?? [] {
                offers[offer.itemID] = offer
            }
        }
        self.offers = offers
    }

    /// The final set, checked and presented; empty for a run that failed.
    var choices: [Choice] {
        if case .success(let choices) = run.result { choices.choices } else { [] }
    }

    /// One item's place in the ranking, from 1.
    func rank(of item: ItemID) -> Int? {
        ranking?.entries.firstIndex { $0.item.itemID == item }.map { $0 + 1 }
    }
}

/// Why one of the three was chosen: the sum that is its score, and what the summands rest on.
package struct ChoiceExplanation: Sendable {
    /// 1 to 3.
    package let position: Int
    package let candidate: CandidateID
    package let title: String
    /// Its place in the ranking, from 1.
    package let rank: Int?
    package let score: Double
    /// They add up to the score, in this order.
    package let summands: [ScoreSummand]
    package let evidence: [EvidenceLine]
    package let availability: String
    /// Its place in the reserve when it came in for one that was lost, from 1.
    package let refilledFrom: Int?
    /// The sentences the person reads; nil unless hints may be shown, since they quote them.
    package let reason: String?
}

/// How many items one node took out for one reason.
package struct RemovalCount: Sendable, Equatable {
    package let node: NodeID
    /// `dropped`, `cut`, `lost` or `merged`.
    package let state: ItemState
    package let reason: String
    package let count: Int

    /// In the order of the plan, the most frequent reason of a node first.
    static func all(in trace: TraceLog) -> [RemovalCount] {
        trace.plan.order.flatMap { index in
            let section = trace.sections[index]
            var counts: [String: (state: ItemState, count: Int)] = [:]
            for case .item(let event) in section.entries {
                guard let (state, reason) = Self.removal(event) else { continue }
                counts[reason] = (state, (counts[reason]?.count ?? 0) + 1)
            }
            return counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
                RemovalCount(node: section.report.node, state: $0.value.state, reason: $0.key, count: $0.value.count)
            }
        }
    }

    private static func removal(_ event: ItemEvent) -> (ItemState, String)? {
        switch event {
        case .dropped(let removal): (.dropped, removal.reason)
        case .cut(let removal): (.cut, removal.reason)
        case .lost(let removal): (.lost, removal.reason)
        case .merged(let merge) where merge.absorbed != merge.survivor: (.merged, merge.why)
        default: nil
        }
    }
}
