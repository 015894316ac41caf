import KnotDomain
package import StageGraph

/// Chooses the best set of three, exactly, under the hard rules.
package struct SelectExact: SelectStage {
    package static let kind = "select.exact"
    package static let summary = "Chooses the best set of three, exactly, under the hard rules."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let strength = Parameter<Double>(
        "strength",
        default: 0.08,
        in: 0...1,
        "0 asks for the three best, 1 for the three most different."
    )
    static let poolLimit = Parameter<Int>(
        "pool_limit",
        default: 200,
        in: 3...2_000,
        "How many of the best are searched; the optimum is exact among them."
    )
    static let reserve = Parameter<Int>("reserve", default: 24, in: 0...200, "Offers kept ready for the check.")
    package static let parameters =
        [strength.declaration, poolLimit.declaration, reserve.declaration] + SetRules.declarations

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
        let considered = Array(ranking.entries.prefix(parameters[Self.poolLimit]))
        let size = min(3, considered.count)
        for (rules, given) in SetRules(parameters).relaxed {
            let search = SetSearch(
                considered,
                objective: SetObjective(strength: parameters[Self.strength], rules: rules),
                brief: brief
            )
            guard let set = search.best(size: size, open: Array(considered.indices)) else { continue }
            return Selection.split(
                ranking,
                chosen: set,
                reserve: parameters[Self.reserve],
                relaxations: given.map { Relaxation(rule: $0, detail: "no set of \(size) could keep it") }
            )
        }
        return Selection.split(ranking, chosen: [], reserve: 0, relaxations: [])
    }
}
