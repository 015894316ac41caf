package import KnotDomain
import TextReading

/// The hard rules of one run that a catalogue in this process can keep to while it searches, so that the best it finds are
/// offers that may be shown.
///
/// They are the filters' own rules and never stricter: what one of them would let pass, passes here. They hold what a vault
/// says, so nothing outside the process is ever given them.
package final class OfferRules: Sendable {
    private let budget: Budget
    private let rates: Rates
    private let judge: PlaceJudge
    /// A parcel may take so many days; nil where there is no day to keep.
    package let mostShippingDays: Int?
    /// An event that begins then or earlier is over.
    package let asOf: Instant
    /// No event may begin later, wherever it is: the last day ends everywhere some hours before.
    package let lastStart: Instant

    init(_ brief: Brief, _ digest: HintDigest, nearKilometres: Double, horizon: Int) {
        budget = brief.budget
        rates = brief.rates
        judge = .forRun(brief, digest, nearKilometres: nearKilometres)
        mostShippingDays = brief.occurrence.map { brief.today.days(until: $0) }
        asOf = brief.asOf
        let last = brief.occurrence ?? brief.today.adding(days: horizon)
        // A milestone may be in any year; beyond some millions of years one day is as far as another.
        let days = min(max(last.daysSinceEpoch, -1_000_000_000), 1_000_000_000) + 2
        lastStart = Instant(millisecondsSinceEpoch: Int64(days) * 86_400_000)
    }

    /// The largest total that is held against a budget here; the filter decides on what costs more.
    package static let largestTotal = 1_000_000_000_000

    /// The totals in a currency that are within the budget; nil where no rate is known, and then every price passes.
    package func totals(in currency: Currency) -> ClosedRange<Int>? {
        guard rates.convert(0, from: currency, to: budget.currency) != nil else { return nil }
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
        if case .elsewhere = judge.verdict(on: place) { false } else { true }
    }

    /// The first number from 0 for which something holds, `most` where it never does.
    private static func first(upTo most: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, most)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
