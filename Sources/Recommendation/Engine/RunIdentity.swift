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

extension RunIdentity {
    /// What a request is known by beside its vault and its occasion: the one place that identities are made from.
    package struct Name: Sendable, Hashable {
        package let kind: Kind
        /// `m:{milestone}:{occurrence}:{days_before}`, the caller's own id, or `r:{run}:{round}`.
        package let request: String

        package init(kind: Kind, request: String) {
            self.kind = kind
            self.request = request
        }

        /// The name of a run that is kept nowhere: the digest of all it read, of its plan and of its seed.
        package static func ofInputs(_ digest: String, plan: String, seed: UInt64, isRefresh: Bool) -> Name {
            let request = JSONWriter.text([.string(digest), .string(plan), .string(String(seed))], style: .canonical)
            return Name(kind: isRefresh ? .refresh : .fixture, request: request)
        }

        /// The identity of a run that has found its occasion.
        package func identity(of brief: Brief) -> RunIdentity {
            identity(brief.vault.id, brief.tier, brief.milestone?.id, brief.occurrence)
        }

        /// The identity that a run of this vault will have; nil where only the run can say why there is none.
        package func identity(
            of vault: Vault,
            _ occasion: OccasionChoice,
            asOf: Instant,
            zones: any ZoneSource
        ) -> RunIdentity? {
            switch occasion {
            case .tier(let tier): return identity(vault.id, tier, nil, nil)
            case .milestone(let id):
                guard let milestone = vault.milestones.first(where: { $0.id == id }) else { return nil }
                let today = (zones.rules(named: vault.timeZone) ?? .utc).localDate(at: asOf)
                let found = MilestoneCalendar.occurrence(
                    of: milestone,
                    onOrAfter: today,
                    country: vault.location?.country
                )
                guard case .on(let day, _) = found else { return nil }
                return identity(vault.id, milestone.tier, id, day)
            }
        }

        private func identity(
            _ vault: VaultID,
            _ tier: OccasionTier,
            _ milestone: MilestoneID?,
            _ day: CivilDate?
        ) -> RunIdentity {
            RunIdentity(
                kind: kind,
                vault: vault,
                milestone: milestone,
                occurrence: day,
                tier: tier,
                request: request
            )
        }
    }
}
