import KnotDomain
import StageGraph

/// The selected and the reserve in one line, and the search that completes a set with its survivors.
struct Refill {
    /// One offer by its place in that line.
    struct Entry: Sendable {
        let place: Int
        let ranked: Ranked<Offer>
    }

    let all: [Entry]
    private let selectedCount: Int
    /// The line in the order of its scores, which is what a search needs.
    private let sorted: [Ranked<Offer>]
    private let parameters: ParameterValues
    private let brief: Brief
    /// Places in the order of their scores.
    private let order: [Int]
    private let rank: [Int]

    init(_ selection: Selection<Offer>, parameters: ParameterValues, brief: Brief) {
        let line = selection.selected + selection.reserve
        all = line.enumerated().map { Entry(place: $0, ranked: $1) }
        selectedCount = selection.selected.count
        let order = line.indices.sorted { Ranked.precedes(line[$0], line[$1]) }
        var rank = [Int](repeating: 0, count: line.count)
        for (position, place) in order.enumerated() { rank[place] = position }
        sorted = order.map { line[$0] }
        self.parameters = parameters
        self.brief = brief
        self.order = order
        self.rank = rank
    }

    /// The best set with all survivors in it; fewer than three only when there is nothing left to add.
    func complete(_ survivors: [Int], from open: [Int]) -> (set: [Int], relaxations: [Relaxation]) {
        // Never more than were selected: what the selector could not put side by side, a refill cannot either.
        let most = min(selectedCount, survivors.count + open.count)
        for rung in SetRules(parameters).ladder(from: most) where rung.size > survivors.count {
            let objective = SetObjective(strength: parameters[SelectExact.strength], rules: rung.rules)
            let search = SetSearch(sorted, objective: objective, brief: brief)
            guard let set = search.best(size: rung.size, fixed: survivors.map { rank[$0] }, open: open.map { rank[$0] })
            else {
                continue
            }
            let relaxations = rung.given.map {
                Relaxation(rule: $0, detail: "no refill of \(rung.size) could keep it")
            }
            return (set.map { order[$0] }.sorted(), relaxations)
        }
        return (survivors, [])
    }

    func result(
        _ set: [Int],
        _ findings: Findings,
        relaxations: [Relaxation]
    ) -> CheckedSelection<Offer> {
        var standing: [CheckedSelection<Offer>.Standing] = []
        for place in set {
            let refilled = place < selectedCount ? nil : place - selectedCount
            switch findings.verdicts[place] {
            case .available(let offer): standing.append(stand(offer, place, "available", refilled))
            case .unknown(let offer): standing.append(stand(offer, place, "unknown", refilled))
            case .lost, .none: break
            }
        }
        standing.sort { Ranked.precedes($0.ranked, $1.ranked) }
        var lost: [Removal] = []
        var unused: [ItemID] = []
        for entry in all where !set.contains(entry.place) {
            if case .lost(let reason, let evidence) = findings.verdicts[entry.place] {
                lost.append(Removal(item: entry.ranked.item.itemID, reason: reason, evidence: evidence))
            } else {
                unused.append(entry.ranked.item.itemID)
            }
        }
        var given: Set<String> = []
        return CheckedSelection(
            standing: standing,
            lost: lost,
            unused: unused,
            relaxations: relaxations.filter { given.insert($0.rule).inserted }
        )
    }

    private func stand(
        _ offer: Offer,
        _ place: Int,
        _ verdict: String,
        _ refilled: Int?
    ) -> CheckedSelection<Offer>.Standing {
        CheckedSelection.Standing(
            ranked: Ranked(item: offer, total: all[place].ranked.total),
            verdict: verdict,
            refilledFrom: refilled
        )
    }
}
