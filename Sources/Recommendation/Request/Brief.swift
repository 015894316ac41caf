package import KnotDomain

/// Everything a run knows before it looks outside: the vault, the occasion, the day, the money.
package struct Brief: Sendable {
    package let vault: Vault
    package let tier: OccasionTier
    package let milestone: Milestone?
    /// The day the occasion falls on, in the vault's zone; nil when there is no day.
    package let occurrence: CivilDate?
    package let asOf: Instant
    /// The local day of `asOf`.
    package let today: CivilDate
    package let zone: ZoneRules
    package let budget: Budget
    package let rates: Rates
    package let refresh: RefreshRequest?

    /// How an occasion without a milestone of its own is called.
    package var occasionName: String {
        milestone?.name ?? tier.rawValue.split(separator: "_").joined(separator: " ")
    }

    package var daysLeft: Int? { occurrence.map { $0.daysSinceEpoch - today.daysSinceEpoch } }
}
