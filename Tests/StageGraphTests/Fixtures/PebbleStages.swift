import StageGraph

/// Reads a number.
struct ReadLimit: TransformStage {
    static let kind = "reader.limit"
    static let role = StageRole.reader
    static let summary = "Reads the heaviest weight allowed."
    static let limit = Parameter("limit", default: 8.0, in: 0...100, "The heaviest weight allowed.")
    static var parameters: [ParameterDeclaration] { [limit.declaration] }

    let quarry: Quarry
    let value: Double

    func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Double {
        try await quarry.enter(context)
        return value
    }
}

/// Brings the pebbles of its own node.
struct FindPebbles: SourceStage {
    static let kind = "source.pebbles"
    static let summary = "Finds pebbles."
    static let count = Parameter("count", default: 8, in: 0...10_000, "How many to find.")
    static var parameters: [ParameterDeclaration] { [count.declaration] }

    let quarry: Quarry
    let count: Int

    func retrieve(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Pebble] {
        try await quarry.enter(context)
        if let pebbles = quarry.pools[context.node] { return pebbles }
        var generator = context.generator()
        let pebbles = (0..<count).map { Pebble("\(context.node)-\($0)", weight: (generator.unit() * 100).rounded() / 10) }
        return quarry.lies(context) ? pebbles + pebbles.prefix(1) : pebbles
    }
}

/// Puts pools together, merging equal weights.
struct HeapPebbles: AggregateStage {
    static let kind = "aggregate.heap"
    static let summary = "Puts pools together."

    let quarry: Quarry

    func unite(
        _ pools: [(node: NodeID, value: Pool<Pebble>)], _ inputs: StageInputs, in context: StageContext
    ) async throws(StageFailure) -> Union<Pebble> {
        try await quarry.enter(context)
        var union = Union<Pebble>(items: [])
        for pebble in pools.flatMap(\.value.items) {
            if let twin = union.items.first(where: { $0.weight == pebble.weight }) {
                union.merged.append(Merge(absorbed: pebble.itemID, survivor: twin.itemID, why: "same_weight"))
            } else {
                union.items.append(pebble)
            }
        }
        if quarry.lies(context), !union.items.isEmpty { union.items.removeLast() }
        return union
    }
}

/// Drops what is too heavy.
struct DropHeavy: FilterStage {
    static let kind = "filter.heavy"
    static let summary = "Drops what is heavier than the limit."
    static let limit = InputPort<Double>("limit")
    static let slack = Parameter("slack", default: 0.5, in: 0...10, "How much heavier than the limit is still well.")
    static var inputs: [InputDeclaration] { [limit.declaration] }
    static var parameters: [ParameterDeclaration] { [slack.declaration] }

    let quarry: Quarry
    let slack: Double

    func facts(
        for pool: Pool<Pebble>, _ inputs: StageInputs, in context: StageContext
    ) async throws(StageFailure) -> Double {
        try await quarry.enter(context)
        return try inputs.value(Self.limit) + slack
    }

    func verdict(on item: Pebble, given facts: Double) throws(StageFailure) -> FilterVerdict {
        item.weight <= facts ? .keep : .drop(reason: "too_heavy", evidence: "\(item.weight) is above \(facts)")
    }
}

/// Scores by weight; a negative weight gives no finite score.
struct ScoreWeight: ScoreStage {
    enum Curve: String, CaseIterable, Sendable {
        case straight
        case root
    }

    static let kind = "score.weight"
    static let summary = "Scores by weight."
    static let curve = Parameter("curve", default: Curve.straight, "How the score grows.")
    static var parameters: [ParameterDeclaration] { [curve.declaration] }

    let quarry: Quarry
    let curve: Curve

    func facts(
        for pool: Pool<Pebble>, _ inputs: StageInputs, in context: StageContext
    ) async throws(StageFailure) -> Bool {
        try await quarry.enter(context)
        return quarry.lies(context)
    }

    func contribution(of item: Pebble, given lies: Bool) throws(StageFailure) -> Contribution? {
        if lies { return Contribution(.nan) }
        let value = curve == .root ? item.weight.squareRoot() : item.weight
        return Contribution(value, evidence: [Evidence(kind: "weight", ref: item.itemID.text, weight: 1)])
    }
}

/// Keeps the first few.
struct KeepFew: ShortlistStage {
    static let kind = "shortlist.few"
    static let summary = "Keeps the best few."
    static let count = Parameter("count", default: 12, in: 1...100, "How many to keep.")
    static var parameters: [ParameterDeclaration] { [count.declaration] }

    let count: Int

    func shorten(
        _ pool: Pool<Pebble>, by columns: [ScoreColumn], _ inputs: StageInputs, in context: StageContext
    ) throws(StageFailure) -> Union<Pebble> {
        Union(
            items: Array(pool.items.prefix(count)),
            cut: pool.items.dropFirst(count).map { Removal(item: $0.itemID, reason: "cap", evidence: "beyond \(count)") })
    }
}

/// Adds the scores up.
struct AddScores: CombineStage {
    static let kind = "combine.sum"
    static let summary = "Adds the scores up."

    func total(of item: Pebble, from columns: [ScoreColumn], _ inputs: StageInputs) throws(StageFailure) -> Total {
        let parts = columns.map { Total.Part(name: $0.node.text, value: $0[item.itemID]?.value ?? 0) }
        // A weight beyond all measure stands for a stage that computes nonsense.
        return Total(parts: item.weight > 1e6 ? parts + [Total.Part(name: "nonsense", value: .nan)] : parts)
    }
}

/// Takes the top three and keeps five in reserve.
struct TakeTop: SelectStage {
    static let kind = "select.top"
    static let summary = "Takes the top."

    let quarry: Quarry

    func select(
        from ranking: Ranking<Pebble>, _ inputs: StageInputs, in context: StageContext
    ) async throws(StageFailure) -> Selection<Pebble> {
        try await quarry.enter(context)
        let entries = ranking.entries
        let rest = entries.dropFirst(8).map(\.item.itemID)
        return Selection(
            selected: Array(entries.prefix(3)), reserve: Array(entries.dropFirst(3).prefix(5)),
            rest: quarry.lies(context) ? Array(rest.dropLast()) : rest)
    }
}

/// Loses what weighs an even whole number and refills.
struct CheckPebbles: CheckStage {
    static let kind = "check.pebbles"
    static let summary = "Looks whether the pebbles are still there."

    let quarry: Quarry

    func check(
        _ selection: Selection<Pebble>, _ inputs: StageInputs, in context: StageContext
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
                        .init(ranked: candidate.entry, verdict: "available", refilledFrom: candidate.place))
                }
            }
        }
        return CheckedSelection(standing: standing, lost: lost, unused: reserve.map(\.element.item.itemID))
    }
}

/// Counts what it was given.
struct CountReceipt: SinkStage {
    static let kind = "sink.count"
    static let summary = "Counts."
    static let checked = InputPort<CheckedSelection<Pebble>>("checked")
    static var inputs: [InputDeclaration] { [checked.declaration] }

    let quarry: Quarry

    func write(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int {
        try await quarry.enter(context)
        return try inputs.value(Self.checked).standing.count
    }
}
