import Digest
import JSONDocument
package import KnotDomain
package import StageGraph

/// Asks for the readings of the vault's hints; a hint without one is read by the rules.
package struct ReadHints: TransformStage {
    package static let kind = "read.hints"
    package static let role = StageRole.reader
    package static let summary = "Reads the hints; word rules read those without a recorded reading."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    private let ports: StagePorts

    package init(ports: StagePorts) {
        self.ports = ports
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> HintUnderstanding {
        let brief = try inputs.value(Self.brief)
        let reader = ports.reader
        if case let count = brief.vault.hints.count, count < 3 {
            let words = "notes so far: \(count); each further one about your partner makes the ideas more personal"
            context.note(count == 0 ? "no_notes" : "few_notes", words, degrades: false)
        }
        do throws(StageFailure) {
            let reading = try await context.effects.perform(
                .hintReading,
                key: Self.key(reader, brief),
                codec: .reading(of: brief.vault)
            ) { () async throws(StageFailure) in
                try await reader.reading(of: brief.vault, tier: brief.tier, asOf: brief.asOf)
            }
            if reading.leftOut > 0 {
                context.note(
                    "phrases_left_out",
                    "\(reading.leftOut) phrases to avoid or to serve were left out: a list holds \(TextLimit.listItems)",
                    degrades: false
                )
            }
            return complete(reading, by: reader.name, for: brief, in: context)
        } catch {
            // The rules are always there: only what says nothing of the reader ends the run.
            guard error.failureClass == .provider || error.failureClass == .platform else { throw error }
            context.note(
                "reading_rules",
                "the reader \(reader.name) failed (\(error.code)); the rules read all hints",
                degrades: true
            )
            let rules = ports.fallback.read(brief.vault, tier: brief.tier, asOf: brief.asOf)
            let byHint = Dictionary(rules.hints.map { ($0.hintID, $0) }) { first, _ in first }
            return HintUnderstanding(
                reader: ports.fallback.name,
                hints: byHint,
                serves: rules.serves,
                avoid: rules.avoid
            )
        }
    }

    private static func key(_ reader: any HintReader, _ brief: Brief) -> JSONValue {
        [
            "reader": .string(reader.name),
            "hints": .string(VaultDigest.ofHints(in: brief.vault, tier: brief.tier)),
        ]
    }

    private func complete(
        _ reading: VaultReading,
        by reader: String,
        for brief: Brief,
        in context: StageContext
    ) -> HintUnderstanding {
        var byHint: [HintID: HintReading] = [:]
        for entry in reading.hints { byHint[entry.hintID] = entry }
        let unread = brief.vault.hints.filter { byHint[$0.id] == nil }
        if reader == ports.fallback.name {
            if !brief.vault.hints.isEmpty {
                // Nobody else could have read them: the rules are the reader, and stand in for none.
                context.note("reading_rules", "all hints were read by the rules", degrades: false)
            }
        } else if !unread.isEmpty {
            let rules = ports.fallback.read(brief.vault, tier: brief.tier, asOf: brief.asOf)
            for entry in rules.hints where byHint[entry.hintID] == nil { byHint[entry.hintID] = entry }
            context.note(
                "reading_rules",
                "\(unread.count) of \(brief.vault.hints.count) hints had no reading and were read by the rules",
                degrades: true
            )
        }
        return HintUnderstanding(reader: reader, hints: byHint, serves: reading.serves, avoid: reading.avoid)
    }
}

/// What every hint means, whoever read it, and what the vault as a whole asks for and rules out.
package struct HintUnderstanding: Sendable {
    package let reader: String
    package let hints: [HintID: HintReading]
    package let serves: [String]
    package let avoid: [String]
}

/// Short names for what was read, so that private texts need not be keys.
package enum VaultDigest {
    /// SHA-256 over the hints' ids and texts and the tier they are read for.
    package static func ofHints(in vault: Vault, tier: OccasionTier) -> String {
        let hints = vault.hints.map { JSONValue.array([.string($0.id.text), .string($0.text)]) }
        let canonical = JSONWriter.bytes([.string(tier.rawValue), .array(hints)], style: .canonical)
        return SHA256Digest(of: canonical).hex
    }
}
