import KnotDomain
package import StageGraph

/// Chooses one offer after another: by maximal marginal relevance, or by the determinant of a kernel (DPP).
///
/// Both are here so that an evaluation can hold the exact search against what is common elsewhere.
package struct SelectGreedy: SelectStage {
    package static let kind = "select.greedy"
    package static let revision = 3
    package static let summary = "Picks one offer after another, by MMR or greedy DPP."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package enum Method: String, CaseIterable, Sendable {
        case mmr
        case dpp
    }

    package static let method = Parameter<Method>("method", default: .mmr, "Method that picks the next offer.")
    package static let lambda = Parameter<Double>("lambda", default: 0.8, in: 0...1, "MMR: share of relevance.")
    package static let alpha = Parameter<Double>(
        "alpha",
        default: 6,
        in: 0...50,
        "DPP: how strongly a score favors its offer."
    )
    package static let parameters =
        [method.declaration, lambda.declaration, alpha.declaration] + SetRules.declarations

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
        let rules = SetRules(parameters)
        let places = brief.joiningKept(rules.considered(of: ranking, atMost: SelectExact.poolLimit), ranking)
        let considered = places.map { ranking.entries[$0] }
        let kept = brief.kept(among: considered)
        for rung in rules.ladder(from: min(3, considered.count)) {
            let objective = SetObjective(strength: 0, rules: rung.rules)
            let search = SetSearch(considered, objective: objective, brief: brief)
            var pairs = search.pairs()
            // A greedy choice must leave a way to go on, or it would give up rules that a set can keep.
            guard search.canComplete(kept, to: rung.size, &pairs) else { continue }
            let chosen = choose(rung.size, kept, among: considered, objective, brief) { next, chosen in
                search.canComplete(chosen + [next], to: rung.size, &pairs)
            }
            context.noteTwins(beside: rung.size, of: ranking.entries.count)
            return Selection.split(
                ranking,
                chosen: chosen.map { places[$0] },
                reserve: SelectExact.reserve,
                relaxations: rung.given.map { Relaxation(rule: $0, detail: "no set of \(rung.size) could keep it") }
            )
        }
        return Selection.split(ranking, chosen: [], reserve: 0, relaxations: [])
    }

    private func choose(
        _ count: Int,
        _ kept: [Int],
        among considered: [Ranked<Offer>],
        _ objective: SetObjective,
        _ brief: Brief,
        fits: (Int, [Int]) -> Bool
    ) -> [Int] {
        let traits = considered.map { SetObjective.trait(of: $0, in: brief) }
        let similarity = { (left: Int, right: Int) in
            left == right ? 1 : 1 - objective.distance(traits[left], traits[right])
        }
        let scores = traits.map(\.score)
        var chosen =
            switch parameters[Self.method] {
            case .mmr:
                MarginalRelevance(lambda: parameters[Self.lambda])
                    .choose(count, fixed: kept, scores: scores, similarity: similarity, fits: fits)
            case .dpp:
                DeterminantalChoice(alpha: parameters[Self.alpha])
                    .choose(count, fixed: kept, scores: scores, similarity: similarity, fits: fits)
            }
        // A determinant of alike things is 0 whatever is added; then scores alone decide.
        for place in considered.indices where chosen.count < count && !chosen.contains(place) {
            if fits(place, chosen) { chosen.append(place) }
        }
        return chosen
    }
}
