package import KnotDomain
package import Recommendation
package import StageGraph

extension OfferRules {
    /// Of candidates in their order, the first so many that the rules let pass, and others behind them where there is room.
    ///
    /// Where all of them have room they stay as they are.
    package func best<Candidates: RandomAccessCollection<Candidate>>(
        of candidates: Candidates,
        limit: Int
    ) throws(StageFailure) -> [Candidate] {
        guard candidates.count > limit else { return Array(candidates) }
        var filter = CandidateFilter(CatalogueFilter(self))
        var best: [Candidate] = []
        var rest: [Candidate] = []
        var left = candidates[...]
        while best.count < limit, !left.isEmpty {
            var part: [Candidate] = []
            while part.count < limit - best.count, let candidate = left.popFirst() {
                if filter.allows(candidate) {
                    part.append(candidate)
                } else if rest.count < limit {
                    rest.append(candidate)
                }
            }
            guard try mostlyDrop(part) else {
                best += part
                continue
            }
            for (candidate, isKept) in zip(part, try pass(part)) {
                if isKept { best.append(candidate) } else { rest.append(candidate) }
            }
        }
        return best + rest.prefix(limit - best.count)
    }

    /// Where fewer offers than these may be shown, more are found than what fits a run's phrases.
    static let fewest = 24

    /// Whether that many of some candidates pass; no more of them are looked at than it takes.
    func passEnough(_ candidates: some Collection<Candidate>) throws(StageFailure) -> Bool {
        var filter = CandidateFilter(CatalogueFilter(self))
        var missing = Self.fewest
        var part: [Candidate] = []
        var left = candidates.makeIterator()
        while missing > 0 {
            part = []
            while part.count < missing + missing / 2, let candidate = left.next() {
                if filter.allows(candidate) { part.append(candidate) }
            }
            guard !part.isEmpty else { return false }
            missing -= try pass(part).count { $0 }
        }
        return true
    }

    /// Whether more than half of some candidates fail a filter that reads their texts; of many, some are looked at.
    func mostlyDrop(_ candidates: [Candidate]) throws(StageFailure) -> Bool {
        let step = max(1, candidates.count / 64)
        let some = stride(from: 0, to: candidates.count, by: step).map { candidates[$0] }
        return try pass(some).count { !$0 } * 2 > some.count
    }
}

/// A filter for candidates in memory, one after another: what `SegmentFilter` asks columns, it asks them.
struct CandidateFilter {
    private let filter: CatalogueFilter
    private let without: Set<CandidateID>
    private var windows: [Currency: ClosedRange<Int>?] = [:]
    private var places: [Place: Bool] = [:]

    init(_ filter: CatalogueFilter) {
        self.filter = filter
        without = Set(filter.without)
    }

    mutating func allows(_ candidate: Candidate) -> Bool {
        if let types = filter.types, types[candidate.provider]?.contains(candidate.type) != true { return false }
        if let most = filter.mostShippingDays, let days = candidate.shipsInDays, days > most { return false }
        let isOfUnknownDelivery = candidate.shipsInDays == nil && candidate.location == nil
        if filter.needsShippingDays, candidate.type == .gift, isOfUnknownDelivery { return false }
        if let start = candidate.startsAt {
            if let after = filter.after, start <= after { return false }
            if let until = filter.until, start > until { return false }
            if let last = filter.lastDay, start > last.from, !last.isKept(start, candidate.location) { return false }
        }
        if let place = candidate.visitedPlace, !isAllowed(place) { return false }
        return isAffordable(candidate) && !without.contains(candidate.id)
    }

    private mutating func isAllowed(_ place: Place) -> Bool {
        guard let allows = filter.places else { return true }
        if let known = places[place] { return known }
        let isAllowed = allows(place)
        places[place] = isAllowed
        return isAllowed
    }

    private mutating func isAffordable(_ candidate: Candidate) -> Bool {
        guard let totals = filter.totals, let price = candidate.priceCents, price <= filter.largestTotal / 2 else {
            return true
        }
        let window: ClosedRange<Int>?
        if let known = windows[candidate.currency] {
            window = known
        } else {
            window = totals(candidate.currency)
            windows[candidate.currency] = .some(window)
        }
        guard let window else { return true }
        // A text can double a price and nothing else, so that most texts need not be read.
        let (once, twice) = (window.contains(price), window.contains(2 * price))
        guard once != twice else { return once }
        return OfferPrice(candidate).totalCents.map { window.contains($0) } ?? true
    }
}
