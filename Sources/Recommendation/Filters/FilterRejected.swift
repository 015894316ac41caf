import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// In a refresh, drops what earlier rounds showed and what their reasons rule out; every round of the occasion counts.
package struct FilterRejected: FilterStage {
    package static let kind = "filter.rejected"
    package static let revision = 6
    package static let summary = "Drops what earlier rounds of this occasion showed or ruled out."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<TasteFeatures>("taste")
    package static let inputs = [brief.declaration, taste.declaration]

    package init() {}

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> RefreshRules? {
        let brief = try inputs.value(Self.brief)
        guard let refresh = brief.refresh else { return nil }
        var rules = RefreshRules(refresh, brief: brief, taste: try inputs.value(Self.taste))
        if let given = rules.giveWay(for: pool.items) { context.note("relaxed_rule", given, degrades: true) }
        return rules
    }

    package func verdict(on item: Offer, given rules: RefreshRules?) throws(StageFailure) -> FilterVerdict {
        rules?.verdict(on: item) ?? .keep
    }
}

/// What the rejections of all rounds forbid, worked out once for a run.
package struct RefreshRules: Sendable {
    private let shown: [(id: CandidateID, url: String, title: StemSet)]
    /// Totals must stay below the cheapest item that was too expensive, and above the dearest that was too cheap.
    private var bounds: (below: Int?, above: Int?)
    /// What they give way to in order: the first two where fewer than three offers are left, the others where none is.
    private let rungs: [(below: Int?, above: Int?)]
    private let disownedVibes: Set<Vibe>
    private let similar: [(rejection: Rejection, words: StemSet, kind: GiftKind?)]
    private let kept: Set<CandidateID>
    private let brief: Brief
    private let taste: TasteFeatures

    init(_ refresh: RefreshRequest, brief: Brief, taste: TasteFeatures) {
        self.brief = brief
        self.taste = taste
        kept = Set(refresh.kept.map(\.candidateID))
        shown = refresh.rejections.map {
            ($0.candidateID, CanonicalURL.key($0.url), Sameness.stems(ofTitle: $0.title))
        }
        let rejected = refresh.rejections.filter(\.isRejected)
        // If the last round names no price, there is nothing to give way to.
        let last = Self.latest(rejected, atMost: max(1, 3 - refresh.kept.count)).map(\.candidateID)
        func prices(_ reason: RefreshReason) -> (all: [Int], last: [Int], latest: [Int]) {
            let priced = rejected.filter { $0.reason == reason && $0.budgetCents != nil }
            let late = priced.filter { last.contains($0.candidateID) }
            let latest = Self.latest(priced, atMost: 3)
            return (priced.compactMap(\.budgetCents), late.compactMap(\.budgetCents), latest.compactMap(\.budgetCents))
        }
        let (dear, cheap) = (prices(.tooExpensive), prices(.tooCheap))
        bounds = (dear.all.min(), cheap.all.max())
        let below = [bounds.below, dear.last.max() ?? bounds.below]
        let above = [bounds.above, cheap.last.min() ?? bounds.above]
        // Who last found things too cheap takes back some of what was too expensive before, and the other way round.
        let isCheap = rejected.last { $0.reason == .tooExpensive || $0.reason == .tooCheap }?.reason == .tooCheap
        rungs = [isCheap ? dear.latest.max() : cheap.latest.min(), nil].flatMap { other in
            isCheap ? above.map { (other, $0) } : below.map { ($0, other) }
        }
        similar = rejected.filter { $0.reason == .alreadyHaveSimilar || $0.reason == .notTheirStyle }.map {
            ($0, Sameness.stems(ofTitle: $0.title), Offer($0.candidate).kind)
        }
        var vibes: Set<Vibe> = []
        var reader = Lexicon.SignReader(.shared)
        // By what the rejection carries along: whether it is offered again must not matter to the others.
        for rejection in rejected where rejection.reason == .notTheirStyle {
            vibes.formUnion(TasteSigns(of: Offer(rejection.candidate), by: &reader).vibes(from: .mentioned))
        }
        // A vibe the vault asks for is not disowned by one item that missed it.
        disownedVibes = vibes.subtracting(brief.vault.vibes)
    }

    /// Returns those that the latest of their rounds turned down; rounds without a number turned down `count` at most.
    private static func latest(_ rejections: [Rejection], atMost count: Int) -> [Rejection] {
        guard let round = rejections.last?.round else { return rejections.suffix(count) }
        return rejections.filter { $0.round == round }
    }

    /// Takes wider bounds where too few offers are left and they leave more, and says so; nil where they do not.
    mutating func giveWay(for offers: some Collection<Offer>) -> String? {
        let strict = bounds
        let wanted = 3 - offers.lazy.filter { [kept] in kept.contains($0.candidate.id) }.count
        // Where no price at all keeps to what was said, those without one are not enough.
        let isPossible = strict.below ?? .max > (strict.above ?? -1)
        var (best, most) = (strict, isPossible ? left(of: offers) : 0)
        for (rung, wider) in rungs.enumerated() where most < (rung < 2 ? wanted : 1) && wider != best {
            bounds = wider
            let left = left(of: offers)
            if left > most { (best, most) = (wider, left) }
        }
        bounds = best
        return best == strict ? nil : "price: fewer than three keep to all that was said of prices"
    }

    /// The same without looking at what is left.
    mutating func giveWay() { bounds = rungs.last ?? bounds }

    /// How many of some offers may be shown beside what is kept, three at most.
    private func left(of offers: some Collection<Offer>) -> Int {
        offers.lazy.filter { !kept.contains($0.candidate.id) && verdict(on: $0) == .keep }.prefix(3).count
    }

    func verdict(on item: Offer) -> FilterVerdict {
        // What nobody turned down needs to be no cheaper and no other than it was.
        if kept.contains(item.candidate.id) { return .keep }
        let url = item.words.address
        for earlier in shown
        where earlier.id == item.candidate.id || earlier.url == url
            || Sameness.overlap(earlier.title, item.words.titleSet) >= 0.8
        {
            return .drop(reason: "already_shown", evidence: "candidate \(earlier.id)")
        }
        if let total = item.price.total(of: item.candidate, in: brief.budget, rates: brief.rates) {
            let (below, above) = bounds
            if let below, total >= below { return .drop(reason: "not_cheaper", evidence: "\(total) >= \(below)") }
            if let above, total <= above { return .drop(reason: "not_dearer", evidence: "\(total) <= \(above)") }
        }
        let (merchant, title) = (item.words.merchant, item.words.titleSet)
        for (earlier, words, kind) in similar {
            let isSameHouse = merchant != nil && Sameness.merchantKey(earlier.merchant) == merchant
            if isSameHouse, earlier.type == item.candidate.type {
                let same = "same merchant and type as \(earlier.candidateID)"
                return .drop(reason: earlier.reason.rawValue, evidence: same)
            }
            let isLike = Sameness.containment(words, title) >= 0.5 || Sameness.isSameKind(kind, words, item.kind, title)
            if earlier.reason == .alreadyHaveSimilar, isLike {
                return .drop(reason: earlier.reason.rawValue, evidence: "similar to \(earlier.candidateID)")
            }
        }
        let shared = disownedVibes.intersection(taste[item.itemID].vibes(from: .mentioned))
        if let vibe = shared.map(\.rawValue).min() {
            return .drop(reason: RefreshReason.notTheirStyle.rawValue, evidence: "vibe \(vibe)")
        }
        return .keep
    }
}
