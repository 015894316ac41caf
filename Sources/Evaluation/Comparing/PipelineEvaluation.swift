import KnotDomain
package import StageGraph

/// Everything one pipeline did for all judged vaults.
package struct PipelineEvaluation: Sendable {
    package let label: String
    package let plan: Plan
    /// In the order of the fixtures.
    package let vaults: [EvaluatedVault]
    package let exposure: CatalogueExposure
    package let estimates: [Figure: Estimate]

    init(label: String, plan: Plan, cases: [FixtureCase], vaults: [EvaluatedVault], bootstrap: Bootstrap) {
        self.label = label
        self.plan = plan
        self.vaults = vaults
        // Eligible is what a judge did not rule out in at least one vault.
        var eligible: Set<String> = []
        for fixture in cases.map(\.fixture) {
            for candidate in fixture.candidates where fixture.judgments?[candidate.id]?.isForbidden != true {
                eligible.insert(EvaluatedCard.identity(of: candidate))
            }
        }
        exposure = CatalogueExposure(vaults.map { $0.cards.map(\.identity) }, eligible: eligible)
        estimates = Dictionary(
            uniqueKeysWithValues: Figure.allCases.map { figure in
                (figure, Estimate(vaults.map { $0[figure] }, bootstrap))
            }
        )
    }

    package var shownCount: Int { vaults.reduce(0) { $0 + $1.cards.count } }
    package func count(_ gate: Gate) -> Int { vaults.reduce(0) { $0 + $1.count(gate) } }
    /// Whether every gate is at zero.
    package var keepsGates: Bool { Gate.allCases.allSatisfy { count($0) == 0 } }
    /// The judged vaults that no figure by grades counts, since they show what nobody judged.
    package var ungraded: [EvaluatedVault] { vaults.filter { $0.isJudged && !$0.isGraded } }
    package func mean(_ figure: Figure) -> Double? { estimates[figure]?.mean }
}
