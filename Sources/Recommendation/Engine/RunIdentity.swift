import Digest
import JSONDocument
package import KnotDomain

/// What makes two requests the same request: a repeat of it returns the first result.
package struct RunIdentity: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case scheduled
        case onDemand = "on_demand"
        case refresh
        case fixture
    }

    package let digest: SHA256Bytes
    /// Whose request it is: a set with this identity and of another vault is no answer to it.
    package let vault: VaultID

    /// 32 bytes, kept as hexadecimal text.
    package typealias SHA256Bytes = String

    package init(
        kind: Kind,
        vault: VaultID,
        milestone: MilestoneID?,
        occurrence: CivilDate?,
        tier: OccasionTier,
        request: String
    ) {
        let canonical = JSONWriter.bytes(
            [
                "kind": .string(kind.rawValue), "vault": .string(vault.text), "milestone": JSONValue(milestone?.text),
                "occurrence": JSONValue(occurrence?.description), "tier": .string(tier.rawValue),
                "request": .string(request),
            ],
            style: .canonical
        )
        digest = SHA256Digest(of: canonical).hex
        self.vault = vault
    }

    /// The identity's first 122 free bits as a UUID of version 8.
    package var runID: String {
        var digits = Array(digest.utf8.prefix(32))
        digits[12] = UInt8(ascii: "8")
        let variant = (Character(Unicode.Scalar(digits[16])).hexDigitValue ?? 0) & 0b0011 | 0b1000
        digits[16] = Array("0123456789abcdef".utf8)[variant]
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
