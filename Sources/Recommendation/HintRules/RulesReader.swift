package import KnotDomain

/// Reads hints by rules and reviewed tables: in process, always there, the same answer every time.
package struct RulesReader: Sendable {
    static let servesLimit = 6
    static let avoidLimit = 12

    package init() {}

    /// The readings in the order of the vault's hints; that order changes nothing in them.
    package func read(_ vault: Vault, tier: OccasionTier, asOf: Instant) -> VaultReading {
        let rule = DraftRule(tables: .shared, partnerNames: PartnerNames(vault.partnerName), asOf: asOf)
        let hints = Self.ordered(vault)
        return Self.reading(of: vault, tier: tier, hints: hints, drafts: hints.map(rule.draft))
    }

    /// The same reading, the hints drafted on two threads where there are two.
    func readSideBySide(_ vault: Vault, tier: OccasionTier, asOf: Instant) async -> VaultReading {
        let rule = DraftRule(tables: .shared, partnerNames: PartnerNames(vault.partnerName), asOf: asOf)
        let hints = Self.ordered(vault)
        let middle = hints.count / 2
        // Each hint is drafted on its own, so that it does not matter where.
        async let later = Self.drafts(of: hints[middle...], by: rule)
        let earlier = hints[..<middle].map(rule.draft)
        return Self.reading(of: vault, tier: tier, hints: hints, drafts: earlier + (await later))
    }

    @concurrent private static func drafts(of hints: ArraySlice<Hint>, by rule: DraftRule) async -> [HintDraft] {
        hints.map(rule.draft)
    }

    /// Oldest first.
    private static func ordered(_ vault: Vault) -> [Hint] {
        vault.hints.sorted { ($0.createdAt, $0.id.text) < ($1.createdAt, $1.id.text) }
    }

    private static func reading(
        of vault: Vault,
        tier: OccasionTier,
        hints ordered: [Hint],
        drafts: [HintDraft]
    ) -> VaultReading {
        let tables = RuleTables.shared
        let drafts = OverruleRule(tables: tables).settle(drafts)
        let filter = ServesFilter(drafts, tables: tables)
        var readings: [HintID: HintReading] = [:]
        var leftOut = 0
        /// One word may be longer than any phrase: it names nothing that a catalogue has.
        func bounded(_ phrases: [String]) -> [String] {
            let kept = phrases.filter { $0.utf8.count <= TextLimit.phrase }
            leftOut += phrases.count - kept.count
            return kept
        }
        for draft in drafts {
            readings[draft.hint.id] = HintReading(
                hintID: draft.hint.id,
                subject: draft.subject,
                stance: draft.stance,
                strength: draft.strength,
                serves: bounded(filter.allowed(draft.serves)),
                avoid: bounded(draft.avoid),
                overrules: draft.overrules,
                limits: bounded(draft.limits)
            )
        }
        let phrases = VaultPhrases(tables: tables)
        let avoid = phrases.avoid(vault, hints: ordered.compactMap { readings[$0.id] })
        return VaultReading(
            hints: vault.hints.compactMap { readings[$0.id] },
            avoid: avoid.phrases,
            serves: bounded(filter.allowed(phrases.serves(vault, tier: tier))),
            leftOut: leftOut + avoid.leftOut
        )
    }
}
