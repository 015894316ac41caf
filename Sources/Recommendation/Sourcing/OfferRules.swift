package import KnotDomain
package import StageGraph
import TextReading
import Threads

/// The hard rules of one run that a catalogue in this process can keep to while it searches, so that the best it finds are
/// offers that may be shown.
///
/// They are the rules of the plan's own filters and never stricter: what these would let pass, passes here. They hold what
/// a vault says, so nothing outside the process is ever given them.
package final class OfferRules: Sendable {
    private let brief: Brief
    private let digest: HintDigest
    private let filters: PlanFilters
    private let judge: PlaceJudge?
    private let windows: FilterWindows.Facts
    private let past = FirstAnswer<FilterHistory.Past>()
    private let lastDay: CivilDate
    /// A parcel may take so many days; nil where there is no day to keep.
    package let mostShippingDays: Int?
    /// Whether deliveries of unknown duration are dropped because the day is near.
    package let needsShippingDays: Bool
    /// An event that begins then or earlier is over.
    package let asOf: Instant?
    /// What begins before the one is in time wherever it is, and what begins after the other nowhere.
    package let lastStarts: ClosedRange<Instant>?
    /// What earlier rounds of a refresh showed and no one keeps.
    package let shownBefore: [CandidateID]

    init(_ brief: Brief, _ digest: HintDigest, _ filters: PlanFilters) {
        self.brief = brief
        self.digest = digest
        self.filters = filters
        windows = FilterWindows.Facts(digest, brief)
        judge = filters.most(FilterPlace.nearKilometres, of: FilterPlace.kind).map {
            .forRun(brief, digest, nearKilometres: $0)
        }
        let left = filters.has(FilterDelivery.kind) ? brief.occurrence.map { brief.today.days(until: $0) } : nil
        mostShippingDays = left
        needsShippingDays = left.map { $0 < FilterDelivery.unknownDays } ?? false
        let horizon = filters.most(FilterDates.horizon, of: FilterDates.kind)
        asOf = horizon.map { _ in brief.asOf }
        lastDay = brief.occurrence ?? brief.today.adding(days: horizon ?? 0)
        // A milestone may be in any year; beyond some millions of years one day is as far as another.
        let days = Int64(min(max(lastDay.daysSinceEpoch, -1_000_000_000), 1_000_000_000))
        // No clock is a whole day from universal time, whichever way.
        let (first, last) = (days * 86_400_000, (days + 2) * 86_400_000)
        lastStarts = horizon.map { _ in
            Instant(millisecondsSinceEpoch: first)...Instant(millisecondsSinceEpoch: last)
        }
        let refresh = filters.has(FilterRejected.kind) ? brief.refresh : nil
        shownBefore =
            refresh.map { refresh in
                refresh.rejections.map(\.candidateID).filter { !refresh.keeps($0) }
            } ?? []
    }

    /// The largest total that is held against a budget here; the filter decides on what costs more.
    package static let largestTotal = 1_000_000_000_000

    /// The currencies of which anything is known.
    package var currencies: [Currency] { Set(brief.rates.currencies + [brief.budget.currency]).sorted() }

    /// The totals in a currency that are within the budget; nil where no rate is known, and then every price passes.
    package func totals(in currency: Currency) -> ClosedRange<Int>? {
        let (budget, rates) = (brief.budget, brief.rates)
        guard filters.has(FilterBudget.kind), brief.hasRate(from: currency) else { return nil }
        // Conversion never turns two amounts around, so that the first and the last that fit are found by halving.
        let first = Self.first(upTo: Self.largestTotal) { total in
            rates.convert(total, from: currency, to: budget.currency).map { $0 >= budget.minimum } ?? true
        }
        let beyond = Self.first(upTo: Self.largestTotal + 1) { total in
            rates.convert(total, from: currency, to: budget.currency).map { $0 > budget.maximum } ?? false
        }
        return first...max(first, beyond - 1)
    }

    /// Whether somebody who lives where the vault says would go there.
    package func allows(_ place: Place) -> Bool {
        if case .elsewhere = judge?.verdict(on: place) { false } else { true }
    }

    /// Whether an event that begins then is in time by the clocks of its place.
    package func allows(_ start: Instant, at place: Place?) -> Bool { brief.local(start, at: place).date <= lastDay }

    /// The first number from 0 for which something holds, `most` where it never does.
    private static func first(upTo most: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, most)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: What texts say

    /// Of each candidate whether it passes the filters that read its texts, as far as they go by words.
    package func pass(_ candidates: some Collection<Candidate>) throws(StageFailure) -> [Bool] {
        let offers = OfferCache.shared.offers(for: candidates, areRead: true)
        var pass = offers.map { _ in true }
        func hold<Filter: FilterStage>(to filter: Filter, _ facts: Filter.Facts) throws(StageFailure)
        where Filter.Item == Offer {
            for (place, offer) in offers.enumerated() where pass[place] {
                if case .drop = try filter.verdict(on: offer, given: facts) { pass[place] = false }
            }
        }
        // Of two filters of one kind each may be on a way of its own.
        if filters.has(FilterWindows.kind) { try hold(to: FilterWindows(), windows) }
        if filters.has(FilterHistory.kind), !brief.vault.history.isEmpty {
            try hold(to: FilterHistory(), past[{ FilterHistory.past(of: brief, digest) }])
        }
        let dislikes = filters.only(FilterDislikes.kind).flatMap { brief.vault.dislikes.isEmpty ? nil : $0 }
        let refresh = filters.has(FilterRejected.kind) ? brief.refresh : nil
        guard dislikes != nil || refresh != nil else { return pass }
        let taste = TasteFeatures(wordsOf: offers)
        if let dislikes { try hold(to: FilterDislikes(dislikes), FilterDislikes.facts(of: brief, taste, digest)) }
        if let refresh {
            var rules = RefreshRules(refresh, brief: brief, taste: taste)
            // Only the filter sees whether three are left.
            rules.giveWay()
            try hold(to: FilterRejected(), rules)
        }
        return pass
    }
}

/// The filters of a plan, by their kinds: what all of a kind drop, no way through the plan lets pass.
package struct PlanFilters: Sendable {
    private let parameters: [String: [ParameterValues]]

    /// None, as for stages that nobody made for a plan.
    package init() { parameters = [:] }

    package init(_ plan: Plan) {
        let filters = plan.nodes.filter { $0.stage.role == .filter }
        parameters = Dictionary(grouping: filters, by: \.stage.kind).mapValues { $0.map(\.parameters) }
    }

    func has(_ kind: String) -> Bool { parameters[kind] != nil }

    /// What the one filter of a kind is set to; nil where there are several or none.
    func only(_ kind: String) -> ParameterValues? { parameters[kind].flatMap { $0.count == 1 ? $0[0] : nil } }

    func most<Value: Comparable>(_ parameter: Parameter<Value>, of kind: String) -> Value? {
        parameters[kind]?.map { $0[parameter] }.max()
    }
}
