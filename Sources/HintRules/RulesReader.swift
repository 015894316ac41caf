import JSONDocument
package import KnotDomain
import Recommendation
package import StageGraph
import Synchronization

/// Reads hints by rules and reviewed tables: in process, always there, the same answer every time.
package struct RulesReader: Sendable {
    static let servesLimit = 6
    static let avoidLimit = 12

    package init() {}

    /// Reads the tables, so that they are there when the first hint comes.
    package static func prepare() {
        let tables = RuleTables.shared
        _ = (tables.remedies, tables.conditions, tables.tastes, Patterns.all, WordKinds.of(0))
    }

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
                serves: bounded(filter.allowed(draft.serves, of: draft)),
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

extension RulesReader: FallbackReader {
    package static let name = "rules"
    package var name: String { Self.name }

    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading {
        await readSideBySide(vault, tier: tier, asOf: asOf)
    }

    package func rulesOut(_ hint: Hint, of vault: Vault, asOf: Instant) -> Bool {
        DraftRule(tables: .shared, partnerNames: PartnerNames(vault.partnerName), asOf: asOf).rulesOut(hint)
    }
}

extension RulesReader {
    /// Every phrase that a reading may take from the reviewed tables, whoever's note it is of.
    package static var phrases: [String] {
        let tables = RuleTables.shared
        let tastes = tables.tastes.tastes.values.flatMap { $0.gifts + $0.experiences + $0.services + $0.avoid }
        let conditions = tables.conditions.conditions.flatMap { $0.serves + $0.avoid }
        return Set(tables.remedies.remedies.flatMap(\.serves) + conditions + tastes + tables.tastes.topics).sorted()
    }
}

/// The reviewed tables, each parsed from the program's own bytes when it is first used.
struct RuleTables: Sendable {
    static let shared = RuleTables()

    var remedies: RemedyTable { Self.remedies }
    var conditions: ConditionTable { Self.conditions }
    var tastes: TasteTable { Self.tastes }

    private static let remedies = RemedyTable(document(EmbeddedTable.remedies))
    private static let conditions = ConditionTable(document(EmbeddedTable.conditions))
    private static let tastes = TasteTable(document(EmbeddedTable.tastes))

    /// The stems of phrases that were compared before; a run compares few of the tables' thousands.
    private static let stemsOfPhrase = Mutex<[String: [UInt64]]>([:])
    private static let thingsOfPhrase = Mutex<[String: [[UInt64]]]>([:])
    private static let mostPhrases = 4_096

    /// As fingerprints.
    func stems(of phrase: String) -> [UInt64] {
        if let stems = Self.stemsOfPhrase.withLock({ $0[phrase] }) { return stems }
        let stems = RulePhrase.stems(of: phrase)
        Self.stemsOfPhrase.withLock { known in
            if known.count < Self.mostPhrases { known[phrase] = stems }
        }
        return stems
    }

    /// The stems of each thing that a phrase names: "gin, rum or vodka" names three.
    func things(of phrase: String) -> [[UInt64]] {
        guard phrase.utf8.contains(UInt8(ascii: " ")) else { return [stems(of: phrase)] }
        if let things = Self.thingsOfPhrase.withLock({ $0[phrase] }) { return things }
        let names = phrase.split(separator: ", ").flatMap { $0.split(separator: " or ") }
        let things = names.map { stems(of: String($0)) }
        Self.thingsOfPhrase.withLock { known in
            if known.count < Self.mostPhrases { known[phrase] = things }
        }
        return things
    }

    private static func document(_ bytes: [UInt8]) -> JSONValue {
        do {
            return try JSONParser.parse(bytes)
        } catch {
            preconditionFailure("An embedded table of the rules reader is no JSON document: \(error)")
        }
    }
}

/// The partner's name and how it is shortened: "Mar" for Marit, "M" too.
struct PartnerNames: Hashable, Sendable {
    /// A handful, each once.
    private let names: [String]
    /// All of them, as they stand.
    var key: String { names.joined(separator: " ") }

    init(_ name: String) {
        var names: [String] = []
        for word in HintText(name).words where !names.contains(word.text) { names.append(word.text) }
        self.names = names
    }

    func contains(_ word: HintWord) -> Bool {
        let text = word.text
        if names.contains(text) { return true }
        guard word.isCapitalized, text != "i", !RuleWords.partnerPronouns.contains(text), text.unicodeScalars.count != 2
        else {
            return false
        }
        return names.contains { name in
            if text.unicodeScalars.count == 1 { return name.hasPrefix(text) && !["a", "i"].contains(text) }
            return name.hasPrefix(text) || text.hasPrefix(name) && name.unicodeScalars.count >= 3
                || isPetForm(text, of: name)
        }
    }

    /// "Cilla" for Priscilla, "Olly" for Oliver.
    private func isPetForm(_ text: String, of name: String) -> Bool {
        if text.utf8.count >= 4, name.hasSuffix(text) { return true }
        guard text.utf8.count <= 6 else { return false }
        var stem = text[...]
        if stem.hasSuffix("ie") { stem = stem.dropLast(2) } else if stem.hasSuffix("y") { stem = stem.dropLast() }
        guard stem.utf8.count < text.utf8.count else { return false }
        if let last = stem.last, stem.dropLast().last == last { stem = stem.dropLast() }
        return stem.utf8.count >= 2 && name.hasPrefix(stem)
    }
}
