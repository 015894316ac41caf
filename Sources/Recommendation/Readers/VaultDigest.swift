import Digest
import JSONDocument
package import KnotDomain

/// Short names for what was read, so that private texts need not be keys.
package enum VaultDigest {
    /// SHA-256 over the hints' ids and texts and the tier they are read for.
    package static func ofHints(in vault: Vault, tier: OccasionTier) -> String {
        let hints = vault.hints.map { JSONValue.array([.string($0.id.text), .string($0.text)]) }
        let canonical = JSONWriter.bytes([.string(tier.rawValue), .array(hints)], style: .canonical)
        return SHA256Digest(of: canonical).hex
    }
}
