import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// In a refresh, drops what earlier rounds showed and what their reasons rule out; every round of the occasion counts.
package struct FilterRejected: FilterStage {
    package static let kind = "filter.rejected"
    package static let revision = 4
    package static let summary = "Drops what this occasion's earlier rounds showed or ruled out."
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
    private var below: Int?
    private var above: Int?
    /// Where they cannot: below the dearest of the last round's that were too expensive, above the cheapest of those too cheap.
    private let belowDearest: Int?
    private let aboveCheapest: Int?
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
        func prices(_ reason: RefreshReason, of some: ArraySlice<Rejection>) -> [Int] {
            some.filter { $0.reason == reason }.compactMap(\.budgetCents)
        }
        (below, above) = (prices(.tooExpensive, of: rejected[...]).min(), prices(.tooCheap, of: rejected[...]).max())
        // The last round turned down what it did not keep; where that names no price, there is nothing to give way to.
        let last = rejected.suffix(max(1, 3 - refresh.kept.count))
        belowDearest = prices(.tooExpensive, of: last).max() ?? below
        aboveCheapest = prices(.tooCheap, of: last).min() ?? above
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

    /// Takes the wider bounds where fewer than three offers are left and they leave more, and says so; nil where they do not.
    mutating func giveWay(for offers: some Collection<Offer>) -> String? {
        let strict = self
        giveWay()
        let left = strict.left(of: offers)
        guard below != strict.below || above != strict.above, left < 3, left < self.left(of: offers) else {
            self = strict
            return nil
        }
        return "price: fewer than three are cheaper, or dearer, than all that were turned down for theirs"
    }

    /// The same without looking at what is left.
    mutating func giveWay() { (below, above) = (belowDearest, aboveCheapest) }

    /// How many of some offers may be shown, three at most.
    private func left(of offers: some Collection<Offer>) -> Int {
        offers.lazy.filter { verdict(on: $0) == .keep }.prefix(3).count
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

extension Rejection {
    /// What was rejected as an offer to read words of, and nothing else.
    fileprivate var candidate: Candidate {
        Candidate(
            id: candidateID,
            provider: .catalogue,
            type: type,
            title: title,
            description: description,
            url: url,
            imageURL: nil,
            priceCents: nil,
            currency: .usd,
            merchant: merchant,
            location: nil,
            startsAt: nil,
            rating: nil,
            reviewCount: nil,
            shipsInDays: nil,
            tags: []
        )
    }
}
