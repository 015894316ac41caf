import StageGraph

/// Loses what weighs an even whole number and refills.
struct CheckPebbles: CheckStage {
    static let kind = "check.pebbles"
    static let summary = "Looks whether the pebbles are still there."

    let quarry: Quarry

    func check(
        _ selection: Selection<Pebble>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> CheckedSelection<Pebble> {
        try await quarry.enter(context)
        var standing: [CheckedSelection<Pebble>.Standing] = []
        var lost: [Removal] = []
        var reserve = Array(selection.reserve.enumerated())
        for first in selection.selected {
            var next: (place: Int?, entry: Ranked<Pebble>)? = (nil, first)
            while let candidate = next {
                next = nil
                if candidate.entry.item.weight.remainder(dividingBy: 2) == 0 {
                    lost.append(Removal(item: candidate.entry.item.itemID, reason: "gone", evidence: "even"))
                    if !reserve.isEmpty {
                        let refill = reserve.removeFirst()
                        next = (refill.offset, refill.element)
                    }
                } else {
                    standing.append(
                        .init(ranked: candidate.entry, verdict: "available", refilledFrom: candidate.place)
                    )
                }
            }
        }
        return CheckedSelection(standing: standing, lost: lost, unused: reserve.map(\.element.item.itemID))
    }
}
