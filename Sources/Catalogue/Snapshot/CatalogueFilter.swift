package import KnotDomain
package import Recommendation

/// Which offers of a catalogue a search may find; it is held to before anything is compared, so that the best that are
/// found are offers that may be shown.
package struct CatalogueFilter: Sendable {
    /// By provider, the types that may be found; nil for all of everybody.
    package var types: [ProviderName: Set<CandidateType>]?
    /// What both together may cost, by currency; nil for any price, which an unknown one always is.
    package var totals: (@Sendable (Currency) -> ClosedRange<Int>?)?
    /// What costs more passes whatever the window, for others to decide.
    package var largestTotal = Int.max
    /// Where somebody may have to go.
    package var places: (@Sendable (Place) -> Bool)?
    package var mostShippingDays: Int?
    /// Whether a gift that is sent has to say how many days that takes.
    package var needsShippingDays = false
    /// When events begin: after the one, and not after the other.
    package var after: Instant?
    package var until: Instant?
    /// Looks closer at an event that begins later than the moment: whether it is in time by the clocks of its place.
    package var lastDay: (from: Instant, isKept: @Sendable (Instant, Place?) -> Bool)?
    /// What is not found whatever it is.
    package var without: [CandidateID] = []

    package init() {}

    /// What the rules of a run let pass.
    package init(_ rules: OfferRules) {
        totals = { rules.totals(in: $0) }
        largestTotal = OfferRules.largestTotal
        places = { rules.allows($0) }
        mostShippingDays = rules.mostShippingDays
        needsShippingDays = rules.needsShippingDays
        after = rules.asOf
        until = rules.lastStarts?.upperBound
        lastDay = rules.lastStarts.map { ($0.lowerBound, { rules.allows($0, at: $1) }) }
        without = rules.shownBefore
    }
}
