package import KnotDomain

/// Reads hints by rules and reviewed tables: in process, always there, the same answer every time.
package struct RulesReader: Sendable {
    static let servesLimit = 6
    static let avoidLimit = 12

    package init() {}

    /// The readings in the order of the vault's hints; that order changes nothing in them.
    package func read(_ vault: Vault, tier: OccasionTier, asOf: Instant) -> VaultReading {
        let tables = RuleTables.shared
        let names = PartnerNames(vault.partnerName)
        let rule = DraftRule(tables: tables, partnerNames: names, asOf: asOf)
        let ordered = vault.hints.sorted { ($0.createdAt, $0.id.text) < ($1.createdAt, $1.id.text) }
        var readings: [HintID: HintReading] = [:]
        let drafts = OverruleRule(tables: tables).settle(ordered.map(rule.draft))
        let filter = ServesFilter(drafts, tables: tables)
        for draft in drafts {
            readings[draft.hint.id] = HintReading(
                hintID: draft.hint.id,
                subject: draft.subject,
                stance: draft.stance,
                strength: draft.strength,
                serves: filter.allowed(draft.serves),
                avoid: draft.avoid,
                overrules: draft.overrules,
                limits: draft.limits
            )
        }
        let hints = vault.hints.compactMap { readings[$0.id] }
        let phrases = VaultPhrases(tables: tables)
        return VaultReading(
            hints: hints,
            avoid: phrases.avoid(vault, hints: ordered.compactMap { readings[$0.id] }),
            serves: filter.allowed(phrases.serves(vault, tier: tier))
        )
    }
}
