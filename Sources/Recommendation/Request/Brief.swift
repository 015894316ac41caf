package import KnotDomain
import StageGraph
import Synchronization
import TextReading
import Threads

/// Everything a run knows before it looks outside: the vault, the occasion, the day, the money.
///
/// One reference: a brief goes to nearly every node, and its texts are not copied on the way.
package struct Brief: Sendable {
    /// A zone by its name.
    private struct NamedZone {
        let name: String
        let rules: ZoneRules
    }

    private struct Given {
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
        let zones: ZoneCache
        let isLive: Bool
    }

    private final class Facts: Sendable {
        let given: Given
        /// What was found for the places of a pool, which are few.
        let placeZones = Mutex<[Place: NamedZone?]>([:])
        let aside = FirstAnswer<any Sendable>()

        init(_ given: Given) { self.given = given }
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
        refresh: RefreshRequest?,
        zones: any ZoneSource = ZoneDirectory(),
        isLive: Bool = false
    ) {
        let given = Given(
            vault: vault,
            tier: tier,
            milestone: milestone,
            occurrence: occurrence,
            asOf: asOf,
            today: today,
            zone: zone,
            budget: budget,
            rates: rates,
            refresh: refresh,
            zones: ZoneCache(zones),
            isLive: isLive
        )
        facts = Facts(given)
    }

    // Lent and not copied: reading one field of the vault must not count references to all others.
    package var vault: Vault { _read { yield facts.given.vault } }
    package var tier: OccasionTier { facts.given.tier }
    package var milestone: Milestone? { _read { yield facts.given.milestone } }
    /// The day the occasion falls on, in the vault's zone; nil when there is no day.
    package var occurrence: CivilDate? { facts.given.occurrence }
    package var asOf: Instant { facts.given.asOf }
    /// The local day of `asOf`.
    package var today: CivilDate { facts.given.today }
    package var zone: ZoneRules { _read { yield facts.given.zone } }
    package var budget: Budget { _read { yield facts.given.budget } }
    package var rates: Rates { _read { yield facts.given.rates } }
    package var refresh: RefreshRequest? { _read { yield facts.given.refresh } }

    /// A value that stages of one room make of the vault, once for a run; another room's is made each time.
    package func kept<Value: Sendable>(_ make: (Vault) -> Value) -> Value {
        facts.aside[{ make(facts.given.vault) }] as? Value ?? make(facts.given.vault)
    }

    /// What clocks show at the place where an offer happens when it begins; nil for what has no beginning.
    ///
    /// A place whose zone nobody knows has the vault's.
    package func localStart(of candidate: Candidate) -> LocalDateTime? {
        candidate.startsAt.map { local($0, at: candidate.location) }
    }

    func local(_ moment: Instant, at place: Place?) -> LocalDateTime {
        (placeZone(of: place)?.rules ?? zone).local(at: moment)
    }

    /// The zone of an offer's place where its clocks show another time than the vault's when it begins; nil elsewhere.
    private func foreignZone(of candidate: Candidate) -> NamedZone? {
        guard let start = candidate.startsAt, let there = placeZone(of: candidate.location),
            there.rules.offsetSeconds(at: start) != zone.offsetSeconds(at: start)
        else { return nil }
        return there
    }

    /// The name of the zone that has to stand beside an offer's time, since the couple's own clocks show another.
    package func shownZone(of candidate: Candidate) -> String? {
        if let there = foreignZone(of: candidate) { return there.name }
        // Nobody knows the vault's zone: times are universal then, which has to be said.
        let isUnknown =
            candidate.startsAt != nil && placeZone(of: candidate.location) == nil
            && zone == .utc && facts.given.zones.rules(named: vault.timeZone) == nil
        return isUnknown ? "UTC" : nil
    }

    /// Nil where the place's clocks are the couple's, or where nobody knows them.
    private func placeZone(of place: Place?) -> NamedZone? {
        guard let place else { return nil }
        if let known = facts.placeZones.withLock({ $0[place] }) { return known }
        let names = PlaceZones.names(of: place)
        var found: NamedZone?
        if let name = names.first, !names.contains(vault.timeZone), let rules = facts.given.zones.rules(named: name) {
            found = NamedZone(name: name, rules: rules)
        }
        facts.placeZones.withLock { $0[place] = .some(found) }
        return found
    }

    /// How an occasion without a milestone of its own is called.
    package var occasionName: String {
        milestone?.name ?? tier.rawValue.split(separator: "_").joined(separator: " ")
    }

    /// Whether amounts of a currency can be held against the budget.
    package func hasRate(from currency: Currency) -> Bool {
        rates.convert(0, from: currency, to: budget.currency) != nil
    }

    /// Whether a live run's rates are of more than 30 days ago.
    var hasOldRates: Bool { facts.given.isLive && today.daysSinceEpoch - rates.asOf.daysSinceEpoch > 30 }

    package var daysLeft: Int? { occurrence.map { $0.daysSinceEpoch - today.daysSinceEpoch } }
}

extension Brief: InputFacts {
    package static let input = "brief"
}
