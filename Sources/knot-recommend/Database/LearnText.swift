import JSONDocument
import KnotDomain
import VaultStore

/// What `learn` says it learned.
enum LearnText {
    static func report(_ outcome: LearnOutcome) -> TextReport {
        let weights = outcome.weights
        let head =
            switch outcome.change {
            case .learned: "learned from \(weights.signalCount) signals, as of \(weights.asOf.iso8601)"
            case .unchanged: "nothing new: the stored weights say the same"
            case .silent: "there is no feedback to learn from yet"
            }
        var lines = [head]
        for factor in weights.factors {
            let name = TextLayout.padded(TerminalText.safe(factor.name, limit: 40), to: 42)
            lines.append("  \(name) \(hundredths(factor.weight))  of \(factor.signalCount) signals")
        }
        return TextReport(
            json: [
                "schema": "knot.learned/1", "vault_id": .string(outcome.vault.description),
                "change": .string(outcome.change.rawValue), "as_of": .string(weights.asOf.iso8601),
                "signals": .integer(weights.signalCount), "half_life_days": .number(weights.halfLifeDays),
                "weights": weights.weights, "reasons": weights.reasons,
            ],
            lines: lines
        )
    }

    /// All vaults; those that could not be learned from are named, up to a hundred.
    static func report(
        _ counts: [LearnOutcome.Change: Int],
        _ failures: [(vault: String, error: CommandError)]
    ) -> TextReport {
        let learned = counts[.learned] ?? 0
        let unchanged = counts[.unchanged] ?? 0
        let silent = counts[.silent] ?? 0
        let all = learned + unchanged + silent + failures.count
        let named = failures.prefix(100)
        let failed = failures.isEmpty ? "" : ", \(failures.count) failed"
        return TextReport(
            json: [
                "schema": "knot.learned-all/1", "vaults": .integer(all), "learned": .integer(learned),
                "unchanged": .integer(unchanged), "silent": .integer(silent), "failed": .integer(failures.count),
                "failures": .array(named.map { ["vault_id": .string($0.vault), "error": $0.error.json] }),
            ],
            lines: ["\(all) vaults: \(learned) learned, \(unchanged) as before, \(silent) without feedback\(failed)"]
                + named.map { "  \($0.vault): " + TerminalText.safe($0.error.summary, limit: 400) },
            exitCode: failures.isEmpty ? .done : .badInput
        )
    }

    private static func hundredths(_ value: Double) -> String {
        let number = Int((value * 100).rounded())
        return "\(number / 100).\(String(number % 100 + 100).suffix(2))"
    }
}
