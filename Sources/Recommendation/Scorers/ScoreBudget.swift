import KnotDomain
package import StageGraph

/// Whether the total is known to be within the budget; an unknown price costs a little.
package struct ScoreBudget: ScoreStage {
    package static let kind = "score.budget"
    package static let revision = 3
    package static let summary = "Scores whether the price is known to fit the budget."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let unknown = Parameter<Double>("unknown", default: 0.3, in: 0...1, "Score of an unknown price.")
    package static let parameters = [unknown.declaration]

    private let unknown: Double

    package init(_ parameters: ParameterValues) {
        unknown = parameters[Self.unknown]
    }

    package func contribution(of item: Offer, given brief: Brief) throws(StageFailure) -> Contribution? {
        let budget = brief.budget
        guard let total = item.price.total(of: item.candidate, in: budget, rates: brief.rates) else {
            let why = item.price.totalCents == nil ? "unknown" : "rate_missing"
            return Contribution(unknown, evidence: [Evidence(kind: "budget", ref: why, weight: unknown)])
        }
        let side = budget.contains(total) ? "within" : "outside"
        return Contribution(1, evidence: [Evidence(kind: "budget", ref: side, weight: 1)])
    }
}
