import KnotDomain
package import StageGraph

/// How comfortably a total sits in the budget; an unknown price costs a little.
package struct ScoreBudget: ScoreStage {
    package static let kind = "score.budget"
    package static let revision = 2
    package static let summary = "Scores how well the total fits the budget; an unknown price costs a little."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let unknown = Parameter<Double>("unknown", default: 0.3, in: 0...1, "Score of an unknown price.")
    static let edge = Parameter<Double>("edge", default: 0.8, in: 0...1, "Score of a price at either bound.")
    package static let parameters = [unknown.declaration, edge.declaration]

    private let unknown: Double
    private let edge: Double

    package init(_ parameters: ParameterValues) {
        unknown = parameters[Self.unknown]
        edge = parameters[Self.edge]
    }

    package func contribution(of item: Offer, given brief: Brief) throws(StageFailure) -> Contribution? {
        let budget = brief.budget
        guard let total = item.price.total(of: item.candidate, in: budget, rates: brief.rates) else {
            let why = item.price.totalCents == nil ? "unknown" : "rate_missing"
            return Contribution(unknown, evidence: [Evidence(kind: "budget", ref: why, weight: unknown)])
        }
        let width = Double(budget.maximum) - Double(budget.minimum)
        let middle = width > 0 ? abs((Double(total) - Double(budget.minimum)) / width - 0.5) * 2 : 0
        let value = 1 - (1 - edge) * min(1, middle)
        let side = budget.contains(total) ? "within" : "outside"
        return Contribution(value, evidence: [Evidence(kind: "budget", ref: side, weight: value)])
    }
}
