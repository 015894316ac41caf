import KnotDomain
import StageGraph

/// The selected and the reserve in one line, and the search that chooses again among those that can be had.
struct SetCompletion {
    /// One offer by its place in that line.
    struct Entry: Sendable {
        let place: Int
        let ranked: Ranked<Offer>
    }

    let all: [Entry]
    private let selectedCount: Int
    private let parameters: ParameterValues
    private let brief: Brief

    init(_ selection: Selection<Offer>, parameters: ParameterValues, brief: Brief) {
        let line = selection.selected + selection.reserve
        all = line.enumerated().map { Entry(place: $0, ranked: $1) }
        selectedCount = selection.selected.count
        self.parameters = parameters
        self.brief = brief
    }

    /// The best set of those that are open, as if there had never been any other.
    ///
    /// Those that stand aren't kept for their own sake: what went best with a lost offer need not go best without it.
    func chooseAgain(among isOpen: (Int) -> Bool) -> (set: [Int], relaxations: [Relaxation]) {
        let open = all.filter { isOpen($0.place) }
        let places = Dictionary(open.map { ($0.ranked.item.itemID, $0.place) }) { first, _ in first }
        let ranking = Ranking(open.map(\.ranked))
        // Never more than were selected: what the selector could not put side by side, this cannot either.
        guard let found = SelectExact.best(of: ranking, parameters, size: selectedCount, brief) else { return ([], []) }
        let relaxations = found.rung.given.map {
            Relaxation(rule: $0, detail: "no refill of \(found.rung.size) could keep it")
        }
        return (found.set.compactMap { places[ranking.entries[$0].item.itemID] }.sorted(), relaxations)
    }

    /// What else stands, in the order of the line.
    func further(_ set: [Int], _ results: AvailabilityResults, _ count: Int) -> [CheckedSelection<Offer>.Standing] {
        let standing = all.filter { !set.contains($0.place) }.compactMap { entry in
            switch results.verdicts[entry.place] {
            case .available(let offer): stand(offer, entry.place, "available", entry.place - selectedCount)
            case .unknown(let offer): stand(offer, entry.place, "unknown", entry.place - selectedCount)
            case .lost, .none: nil as CheckedSelection<Offer>.Standing?
            }
        }
        return Array(standing.prefix(count))
    }

    func result(
        _ set: [Int],
        _ results: AvailabilityResults,
        relaxations: [Relaxation],
        further count: Int = 0
    ) -> CheckedSelection<Offer> {
        var standing: [CheckedSelection<Offer>.Standing] = []
        for place in set {
            let refilled = place < selectedCount ? nil : place - selectedCount
            switch results.verdicts[place] {
            case .available(let offer): standing.append(stand(offer, place, "available", refilled))
            case .unknown(let offer): standing.append(stand(offer, place, "unknown", refilled))
            case .lost, .none: break
            }
        }
        standing.sort { Ranked.precedes($0.ranked, $1.ranked) }
        var lost: [Removal] = []
        var unused: [ItemID] = []
        unused.reserveCapacity(all.count)
        for entry in all where !set.contains(entry.place) {
            if case .lost(let reason, let evidence) = results.verdicts[entry.place] {
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
            relaxations: relaxations.filter { given.insert($0.rule).inserted },
            further: further(set, results, count)
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

/// What a probe's facts mean: an item that stands, one that may stand, or one that is lost.
enum AvailabilityVerdict: Sendable {
    case available(Offer)
    case unknown(Offer)
    case lost(reason: String, evidence: String)

    /// A bot wall or a silent server says nothing; only "gone", "sold out", "closed", "late" and a price that left the budget do.
    init(_ answer: Result<AvailabilityProbe, StageFailure>, for offer: Offer, _ brief: Brief) {
        guard case .success(let probe) = answer else {
            self = .unknown(offer)
            return
        }
        switch (probe.signal, probe.status) {
        case (.outOfStock, _): self = .lost(reason: "sold_out", evidence: "the page says it is out of stock")
        case (.permanentlyClosed, _):
            self = .lost(reason: "closed", evidence: "the provider says it has closed for good")
        case (.misleading, _): self = .lost(reason: "misleading_link", evidence: "it leads into a private network")
        case (_, 404), (_, 410): self = .lost(reason: "gone", evidence: "there is no such page any more")
        case (_, let status?) where (200..<400).contains(status): self = Self.open(probe, offer, brief)
        default: self = .unknown(offer)
        }
    }

    /// Of an item that can be had, at its price and by its day.
    private static func open(_ probe: AvailabilityProbe, _ offer: Offer, _ brief: Brief) -> AvailabilityVerdict {
        if offer.candidate.type == .gift, let occurrence = brief.occurrence,
            let days = probe.days(to: brief.vault.location?.country)
        {
            let arrival = brief.today.adding(days: days)
            guard arrival <= occurrence else {
                return .lost(reason: "arrives_late", evidence: "the page says \(arrival), which is after \(occurrence)")
            }
        }
        guard probe.currency.map(brief.hasRate) ?? true else { return .available(offer.repriced(nil)) }
        let asked = probe.currency == nil ? offer : offer.repriced(nil, in: probe.currency)
        return atPrice(probe.price, asked, brief)
    }

    private static func atPrice(
        _ price: AvailabilityProbe.PriceFinding,
        _ offer: Offer,
        _ brief: Brief
    ) -> AvailabilityVerdict {
        switch price {
        case .notLooked: return .available(offer)
        case .unknown: return .available(offer.repriced(nil))
        case .minorUnits(let amount):
            let moved = amount == offer.candidate.priceCents ? offer : offer.repriced(amount)
            return lost(moved, brief) ?? .available(moved)
        case .between(let low, let high):
            // Nobody knows which it is, but none fits where the least is too much or the most too little.
            for case (let end?, let wanted) in [(low, "over_budget"), (high, "under_budget")] {
                let verdict = lost(offer.repriced(end), brief)
                if case .lost(wanted, _)? = verdict, let verdict { return verdict }
            }
            return .available(offer.repriced(nil))
        }
    }

    private static func lost(_ offer: Offer, _ brief: Brief) -> AvailabilityVerdict? {
        guard let total = offer.price.total(of: offer.candidate, in: brief.budget, rates: brief.rates),
            case .drop(let reason, let evidence) = BudgetRule.verdict(on: total, in: brief.budget)
        else { return nil }
        return .lost(reason: reason, evidence: "the price is now \(evidence)")
    }

    var isUnknown: Bool { if case .unknown = self { true } else { false } }
}
