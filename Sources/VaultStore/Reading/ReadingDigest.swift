import Digest
import JSONDocument
package import KnotDomain

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
