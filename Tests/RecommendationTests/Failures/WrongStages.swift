import KnotDomain
import Recommendation
import StageGraph
import TestSupport

/// A source that has nothing, nonsense, or everything twice.
struct WrongSource: SourceStage {
    static let kind = "wrong.source"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func retrieve(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Offer] {
        switch mishap {
        case .answersNonsense: MatrixWorld.nonsense.map { Offer($0) }
        case .answersTwice: (MatrixWorld.scene.candidates + MatrixWorld.scene.candidates).map { Offer($0) }
        default: []
        }
    }
}

/// An aggregator that cuts everything, forgets everything, or keeps everything twice.
struct WrongAggregator: AggregateStage {
    static let kind = "wrong.aggregator"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func unite(
        _ pools: [(node: NodeID, value: Pool<Offer>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Offer> {
        let items = pools.flatMap(\.value.items)
        switch mishap {
        case .answersTwice: return Union(items: items + items)
        case .answersNonsense: return Union(items: [])
        default: return Union(items: [], cut: items.map { Removal(item: $0.itemID, reason: "none", evidence: "") })
        }
    }
}

/// A filter that drops everything, with a reason of any length.
struct WrongFilter: FilterStage {
    static let kind = "wrong.filter"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func facts(for pool: Pool<Offer>, _ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int
    {
        pool.items.count
    }

    func verdict(on item: Offer, given facts: Int) throws(StageFailure) -> FilterVerdict {
        switch mishap {
        case .answersNonsense:
            .drop(reason: "", evidence: String(repeating: "\u{0}\u{202E}", count: 10_000))
        case .answersTwice: .keepFlagged(["twice", "twice"])
        default: .drop(reason: "none", evidence: "")
        }
    }
}

/// A scorer without opinions, or with opinions that are no numbers or far out of range.
struct WrongScorer: ScoreStage {
    static let kind = "wrong.scorer"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func facts(for pool: Pool<Offer>, _ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int
    {
        pool.items.count
    }

    func contribution(of item: Offer, given facts: Int) throws(StageFailure) -> Contribution? {
        switch mishap {
        case .answersNonsense: Contribution(.nan, evidence: [Evidence(kind: "hint", ref: "hint-9", weight: .infinity)])
        case .answersTwice:
            Contribution(
                1e300,
                evidence: [Evidence](repeating: Evidence(kind: "hint", ref: "hint-1", weight: 9), count: 2)
            )
        default: nil
        }
    }
}

/// A shortlist that cuts everything, forgets everything, or keeps everything twice.
struct WrongShortlist: ShortlistStage {
    static let kind = "wrong.shortlist"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func shorten(
        _ pool: Pool<Offer>,
        by columns: [ScoreColumn],
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Union<Offer> {
        switch mishap {
        case .answersTwice: Union(items: pool.items + pool.items)
        case .answersNonsense: Union(items: [])
        default: Union(items: [], cut: pool.items.map { Removal(item: $0.itemID, reason: "none", evidence: "") })
        }
    }
}

/// A combiner that adds nothing up, or to no number.
struct WrongCombiner: CombineStage {
    typealias Item = Offer
    static let kind = "wrong.combiner"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func facts(from columns: [ScoreColumn], _ inputs: StageInputs) {}

    func total(of item: Offer, from columns: [ScoreColumn], given facts: Void) throws(StageFailure) -> Total {
        switch mishap {
        case .answersNonsense: Total(parts: [Total.Part(name: "odd", value: .nan)])
        case .answersTwice: Total(parts: [Total.Part(name: "odd", value: 1), Total.Part(name: "odd", value: 1)])
        default: Total(parts: [])
        }
    }
}

/// A selector that selects nothing, something of its own, or one thing three times.
struct WrongSelector: SelectStage {
    static let kind = "wrong.selector"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func select(
        from ranking: Ranking<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Selection<Offer> {
        let all = ranking.entries
        let ids = all.map(\.item.itemID)
        switch mishap {
        case .answersNonsense:
            let own = Ranked(item: Offer(.invented("own", "Own idea")), total: Total(parts: []))
            return Selection(selected: [own], reserve: [], rest: ids)
        case .answersTwice:
            return Selection(
                selected: (all.first.map { [$0, $0, $0] }) ?? [],
                reserve: [],
                rest: Array(ids.dropFirst())
            )
        default: return Selection(selected: [], reserve: [], rest: ids)
        }
    }
}

/// A check that loses everything, lets something of its own stand, or one thing twice.
struct WrongCheck: CheckStage {
    static let kind = "wrong.check"
    static let summary = "Answers wrongly."
    let mishap: Mishap

    func check(
        _ selection: Selection<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> CheckedSelection<Offer> {
        let all = selection.selected + selection.reserve
        let lost = all.map { Removal(item: $0.item.itemID, reason: "none", evidence: "") }
        switch mishap {
        case .answersNonsense:
            let own = Ranked(item: Offer(.invented("own", "Own idea")), total: Total(parts: []))
            return CheckedSelection(
                standing: [.init(ranked: own, verdict: "available", refilledFrom: nil)],
                lost: lost,
                unused: []
            )
        case .answersTwice:
            return CheckedSelection(
                standing: all.prefix(3).map { .init(ranked: $0, verdict: "", refilledFrom: -1) },
                lost: lost,
                unused: []
            )
        default: return CheckedSelection(standing: [], lost: lost, unused: [])
        }
    }
}
