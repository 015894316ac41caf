package import KnotDomain

/// Everything a run knows before it looks outside: the vault, the occasion, the day, the money.
///
/// One reference: a brief goes to nearly every node, and its texts are not copied on the way.
package struct Brief: Sendable {
    private final class Facts: Sendable {
        let vault: Vault
        let tier: OccasionTier
        let milestone: Milestone?
        let occurrence: CivilDate?
        let asOf: Instant
        let today: CivilDate
        let zone: ZoneRules
        let budget: Budget
        let rates: Rates
        let refresh: RefreshRequest?
        let classic = FirstAnswer<ClassicTaste>()

        init(
            vault: Vault,
            tier: OccasionTier,
            milestone: Milestone?,
            occurrence: CivilDate?,
            asOf: Instant,
            today: CivilDate,
            zone: ZoneRules,
            budget: Budget,
            rates: Rates,
            refresh: RefreshRequest?
        ) {
            self.vault = vault
            self.tier = tier
            self.milestone = milestone
            self.occurrence = occurrence
            self.asOf = asOf
            self.today = today
            self.zone = zone
            self.budget = budget
            self.rates = rates
            self.refresh = refresh
        }
    }

    private let facts: Facts

    init(
        vault: Vault,
        tier: OccasionTier,
        milestone: Milestone?,
        occurrence: CivilDate?,
        asOf: Instant,
        today: CivilDate,
        zone: ZoneRules,
        budget: Budget,
        rates: Rates,
        refresh: RefreshRequest?
    ) {
        facts = Facts(
            vault: vault,
            tier: tier,
            milestone: milestone,
            occurrence: occurrence,
            asOf: asOf,
            today: today,
            zone: zone,
            budget: budget,
            rates: rates,
            refresh: refresh
        )
    }

    // Lent and not copied: reading one field of the vault must not count references to all others.
    package var vault: Vault { _read { yield facts.vault } }
    package var tier: OccasionTier { facts.tier }
    package var milestone: Milestone? { _read { yield facts.milestone } }
    /// The day the occasion falls on, in the vault's zone; nil when there is no day.
    package var occurrence: CivilDate? { facts.occurrence }
    package var asOf: Instant { facts.asOf }
    /// The local day of `asOf`.
    package var today: CivilDate { facts.today }
    package var zone: ZoneRules { _read { yield facts.zone } }
    package var budget: Budget { _read { yield facts.budget } }
    package var rates: Rates { _read { yield facts.rates } }
    package var refresh: RefreshRequest? { _read { yield facts.refresh } }
    /// What the stages of the original ask of the vault.
    var classic: ClassicTaste { _read { yield facts.classic[{ ClassicTaste(facts.vault) }] } }

    /// How an occasion without a milestone of its own is called.
    package var occasionName: String {
        milestone?.name ?? tier.rawValue.split(separator: "_").joined(separator: " ")
    }

    package var daysLeft: Int? { occurrence.map { $0.daysSinceEpoch - today.daysSinceEpoch } }
}
