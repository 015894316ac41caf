import KnotDomain
package import StageGraph

/// Chooses one offer after another: by maximal marginal relevance, or by the determinant of a kernel (DPP).
///
/// Both are here so that an evaluation can hold the exact search against what is common elsewhere.
package struct SelectGreedy: SelectStage {
    package static let kind = "select.greedy"
    package static let summary = "Chooses one offer after another, by MMR or greedy DPP."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package enum Method: String, CaseIterable, Sendable {
        case mmr
        case dpp
    }

    static let method = Parameter<Method>("method", default: .mmr, "How the next offer is chosen.")
    static let lambda = Parameter<Double>("lambda", default: 0.8, in: 0...1, "MMR: the share of relevance.")
    static let alpha = Parameter<Double>("alpha", default: 6, in: 0...50, "DPP: how strongly a score lifts its item.")
    package static let parameters =
        [
            method.declaration, lambda.declaration, alpha.declaration, SelectExact.poolLimit.declaration,
            SelectExact.reserve.declaration,
        ] + SetRules.declarations

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    package func select(
        from ranking: Ranking<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Selection<Offer> {
        let brief = try inputs.value(Self.brief)
        let considered = Array(ranking.entries.prefix(parameters[SelectExact.poolLimit]))
        let rules = SetRules(parameters)
        let objective = SetObjective(strength: 0, rules: rules)
        let traits = considered.map { SetObjective.trait(of: $0, in: brief) }
        let similarity = { (left: Int, right: Int) in
            left == right ? 1 : 1 - objective.distance(traits[left], traits[right])
        }
        let allows = { (left: Int, right: Int) in rules.allows(considered[left], considered[right]) }
        let scores = traits.map(\.score)
        let chosen =
            switch parameters[Self.method] {
            case .mmr:
                MarginalRelevance(lambda: parameters[Self.lambda])
                    .choose(min(3, scores.count), scores: scores, similarity: similarity, allows: allows)
            case .dpp:
                DeterminantalChoice(alpha: parameters[Self.alpha])
                    .choose(min(3, scores.count), scores: scores, similarity: similarity, allows: allows)
            }
        var relaxations: [Relaxation] = []
        if rules.twoTypes, Set(traits.map(\.type)).count > 1, Set(chosen.map { traits[$0].type }).count < 2 {
            relaxations.append(Relaxation(rule: "two_types", detail: "a greedy choice does not look ahead"))
        }
        return Selection.split(
            ranking,
            chosen: chosen,
            reserve: parameters[SelectExact.reserve],
            relaxations: relaxations
        )
    }
}
