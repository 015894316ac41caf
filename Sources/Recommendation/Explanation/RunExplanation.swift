package import KnotDomain
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
    package func life(of candidate: CandidateID) throws(UnknownCandidateError) -> CandidateLife {
        try CandidateLife(candidate, findings, showsHints: showsHints)
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
