import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

/// In a refresh, drops what earlier rounds showed and what their reasons rule out; every round of the occasion counts.
package struct FilterRejected: FilterStage {
    package static let kind = "filter.rejected"
    package static let revision = 2
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
        guard let refresh = try inputs.value(Self.brief).refresh else { return nil }
        return RefreshRules(
            refresh,
            brief: try inputs.value(Self.brief),
            taste: try inputs.value(Self.taste)
        )
    }

    package func verdict(on item: Offer, given rules: RefreshRules?) throws(StageFailure) -> FilterVerdict {
        rules?.verdict(on: item) ?? .keep
    }
}

/// What the rejections of all rounds forbid, worked out once for a run.
package struct RefreshRules: Sendable {
    private let shown: [(id: CandidateID, url: String, title: StemSet)]
    /// Totals must stay below the cheapest item that was too expensive, and above the dearest that was too cheap.
    private let below: Int?
    private let above: Int?
    private let disownedVibes: Set<Vibe>
    private let similar: [Rejection]
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
        below = rejected.filter { $0.reason == .tooExpensive }.compactMap(\.budgetCents).min()
        above = rejected.filter { $0.reason == .tooCheap }.compactMap(\.budgetCents).max()
        similar = rejected.filter { $0.reason == .alreadyHaveSimilar || $0.reason == .notTheirStyle }
        var vibes: Set<Vibe> = []
        var reader = Lexicon.SignReader(.shared)
        // By what the rejection carries along: whether it is offered again must not matter to the others.
        for rejection in rejected where rejection.reason == .notTheirStyle {
            vibes.formUnion(TasteSigns(of: Offer(rejection.candidate), by: &reader).vibes(from: .mentioned))
        }
        // A vibe the vault asks for is not disowned by one item that missed it.
        disownedVibes = vibes.subtracting(brief.vault.vibes)
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
        let merchant = item.words.merchant
        for earlier in similar {
            let isSameHouse = merchant != nil && Sameness.merchantKey(earlier.merchant) == merchant
            if isSameHouse, earlier.type == item.candidate.type {
                return .drop(
                    reason: earlier.reason.rawValue,
                    evidence: "same merchant and type as \(earlier.candidateID)"
                )
            }
            let words = Sameness.stems(ofTitle: earlier.title)
            if earlier.reason == .alreadyHaveSimilar, Sameness.containment(words, item.words.titleSet) >= 0.5 {
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
