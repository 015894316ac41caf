import KnotDomain
package import StageGraph

/// Chooses the best set of three, exactly, under the hard rules.
package struct SelectExact: SelectStage {
    package static let kind = "select.exact"
    package static let revision = 3
    package static let summary = "Picks the best set of three that keeps the hard rules; the optimum is exact."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package static let strength = Parameter<Double>(
        "strength",
        default: 0.08,
        in: 0...1,
        "Weight of variety: 0 picks the three best, 1 the three most different."
    )
    package static let secondType = Parameter<Double>(
        "second_type",
        default: 0.04,
        in: 0...1,
        "What a second type is worth beside the mean score: the most it may cost."
    )
    package static let parameters = [strength.declaration, secondType.declaration] + SetRules.declarations
    /// How many of the best are searched; the optimum among them is exact.
    package static let poolLimit = 200
    /// So many offers are kept for the check, which never considers others.
    static let reserve = 10_000

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
        guard let found = Self.best(of: ranking, parameters, brief) else {
            return Selection.split(ranking, chosen: [], reserve: 0, relaxations: [])
        }
        context.noteTwins(beside: found.rung.size, of: ranking.entries.count)
        return Selection.split(
            ranking,
            chosen: found.set,
            reserve: Self.reserve,
            relaxations: found.rung.given.map {
                Relaxation(rule: $0, detail: "no set of \(found.rung.size) could keep it")
            }
        )
    }

    /// The places of the best set, on the first rung of the ladder that has one; nil where there is nothing to choose.
    static func best(
        of ranking: Ranking<Offer>,
        _ parameters: ParameterValues,
        size: Int = 3,
        _ brief: Brief
    ) -> (set: [Int], rung: SetRules.Rung)? {
        let rules = SetRules(parameters)
        let considered = brief.joiningKept(rules.considered(of: ranking, atMost: poolLimit), ranking)
        let entries = considered.map { ranking.entries[$0] }
        let kept = brief.kept(among: entries)
        let open = considered.indices.filter { !kept.contains($0) }
        for rung in rules.ladder(from: min(size, considered.count)) {
            let search = SetSearch(entries, objective: SetObjective(parameters, rules: rung.rules), brief: brief)
            guard let set = search.best(size: rung.size, fixed: kept, open: open) else { continue }
            return (set.map { considered[$0] }, rung)
        }
        return nil
    }
}

extension Brief {
    /// Places of a ranking, and of those a refresh keeps however far down they are, in its order.
    func joiningKept(_ places: [Int], _ ranking: Ranking<Offer>) -> [Int] {
        guard let refresh, !refresh.kept.isEmpty else { return places }
        let known = Set(places)
        return ranking.entries.indices.filter {
            known.contains($0) || refresh.keeps(ranking.entries[$0].item.candidate.id)
        }
    }

    /// Which of some entries a refresh keeps; three at most, whatever a damaged document says.
    package func kept(among entries: [Ranked<Offer>]) -> [Int] {
        guard let refresh, !refresh.kept.isEmpty else { return [] }
        return Array(entries.indices.filter { refresh.keeps(entries[$0].item.candidate.id) }.prefix(3))
    }
}

extension Selection where Item == Offer {
    /// The chosen places of a ranking in its order, the next best as the reserve, and the names of all others.
    static func split(
        _ ranking: Ranking<Offer>,
        chosen: [Int],
        reserve: Int,
        relaxations: [Relaxation]
    ) -> Selection<Offer> {
        let taken = Set(chosen)
        let others = ranking.entries.indices.filter { !taken.contains($0) }
        return Selection(
            selected: chosen.sorted().map { ranking.entries[$0] },
            reserve: others.prefix(reserve).map { ranking.entries[$0] },
            rest: others.dropFirst(reserve).map { ranking.entries[$0].item.itemID },
            relaxations: relaxations
        )
    }
}
