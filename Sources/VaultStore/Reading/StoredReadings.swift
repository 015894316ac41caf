import Digest
import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph

/// Readings kept in the database; what has none, or an outdated one, another reader reads.
package struct StoredReadings: HintReader {
    package let name = "recorded"
    private let stored: StoredVault
    private let fallback: any FallbackReader

    /// Those that were read with a vault, in the same round trip.
    package init(of stored: StoredVault, fallback: any FallbackReader) {
        self.stored = stored
        self.fallback = fallback
    }

    /// The fresh readings: hints without one are left out, and the fallback stands in for the vault's own.
    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading {
        let hints = Self.overruled(Self.fresh(stored.hintReadings, for: vault))
        let digest = ReadingDigest.of(vault, tier: tier)
        if let whole = stored.vaultReadings.first(where: { $0.tier == tier && $0.inputDigest == digest }) {
            let phrases = try Self.phrases(of: whole, vault)
            return VaultReading(hints: hints, avoid: phrases.avoid, serves: phrases.serves)
        }
        let rules = fallback.read(vault, tier: tier, asOf: asOf)
        return VaultReading(hints: hints, avoid: rules.avoid, serves: rules.serves, leftOut: rules.leftOut)
    }

    /// What the vault as a whole asks for and rules out, held to what any reading is held to.
    private static func phrases(of whole: StoredVaultReading, _ vault: Vault) throws(StageFailure) -> VaultReading {
        let written = VaultReading(hints: [], avoid: whole.avoid, serves: whole.serves)
        let reader = JSONReader(written.json)
        guard let reading = VaultReading(reading: reader, knownHints: []) else {
            let problem = reader.problems.list.first.map { "\($0.path) \($0.message)" } ?? "it is broken"
            throw StageFailure(
                .data,
                code: "reading_unreadable",
                "the reading that \(whole.reader) made of vault \(vault.id) for \(whole.tier.rawValue) cannot be used: "
                    + "\(problem); delete that row of vault_readings or read the vault again"
            )
        }
        return reading
    }

    /// The newest usable reading of each hint as it is now, in the hints' order.
    private static func fresh(_ readings: [StoredHintReading], for vault: Vault) -> [HintReading] {
        let byHint = Dictionary(grouping: readings, by: \.hintID)
        let known = Set(vault.hints.map(\.id))
        return vault.hints.compactMap { hint in
            guard let rows = byHint[hint.id] else { return nil }
            let digest = ReadingDigest.of(hint)
            for row in rows where row.inputDigest == digest {
                let json = withoutDeleted(row.json, known: known)
                if let reading = HintReading(reading: JSONReader(json), knownHints: known) { return reading }
            }
            return nil
        }
    }

    /// A hint that was overruled may have been deleted since: that takes nothing from the one that overruled it.
    private static func withoutDeleted(_ json: JSONValue, known: Set<HintID>) -> JSONValue {
        guard case .object(var object) = json, let overrules = object["overrules"]?.array else { return json }
        object["overrules"] = .array(overrules.filter { $0.string.map { known.contains(HintID($0)) } ?? true })
        return .object(object)
    }

    /// An overruled wish serves nothing: one that was read before the hint that overrules it does not know that.
    private static func overruled(_ readings: [HintReading]) -> [HintReading] {
        let gone = Set(readings.flatMap(\.overrules))
        guard !gone.isEmpty else { return readings }
        return readings.map { reading in
            guard gone.contains(reading.hintID) else { return reading }
            return HintReading(
                hintID: reading.hintID,
                subject: reading.subject,
                stance: reading.stance,
                strength: 0,
                serves: [],
                avoid: reading.avoid,
                overrules: reading.overrules,
                limits: reading.limits
            )
        }
    }
}

/// The digests by which a stored reading is known to be of what is read now.
package enum ReadingDigest {
    /// Of one hint, for `hint_readings.input_digest`: its id and text, whatever the other hints say.
    package static func of(_ hint: Hint) -> String {
        digest(["hint", .string(hint.id.text.lowercased()), .string(hint.text)])
    }

    /// Of a vault for a tier, for `vault_readings.input_digest`: all hints together.
    package static func of(_ vault: Vault, tier: OccasionTier) -> String {
        let hints = vault.hints.map { JSONValue.array([.string($0.id.text.lowercased()), .string($0.text)]) }
        return digest([.string(tier.rawValue), .array(hints)])
    }

    /// Ids are in lower case here, since the database writes them so, however a file did.
    private static func digest(_ what: JSONValue) -> String {
        SHA256Digest(of: JSONWriter.bytes(what, style: .canonical)).hex
    }
}
