import Arguments
import ChoiceService
import Composition
import Console
import JSONDocument
import KnotDomain
import Learning
import PostgresClient
import VaultStore
import Verbs

extension Verb {
    static let learn = Verb(
        name: .learn,
        summary: "Turn feedback into taste weights that later runs use",
        uses: ["--vault ID [options]", "--all [options]"],
        description: """
            Each weight is stored with its reason. Old feedback counts less. Learning twice from the same feedback \
            changes nothing.
            """,
        examples: [
            "knot-recommend learn --vault $VAULT",
            "knot-recommend learn --all",
        ],
        flags: [.vault, .asOf, .all, .allowWeakTLS],
        texts: [
            .vault: "Vault to learn for",
            .all: "Learn for every vault in the database",
            .asOf: "Time to learn at; later feedback is ignored",
        ],
        exitCodes: keeping,
        perform: LearnVerb.perform
    )
}

/// `learn`: weights from feedback, of one vault or of every one.
enum LearnVerb {
    static func perform(
        _ arguments: TypedArguments,
        _ context: CommandContext
    ) async throws(CommandError) -> ExitCode {
        let options = try StoredVaultOptions(arguments, context.settings)
        let asOf = options.asOf ?? MachineClock().now()
        let call = try await DatabaseCall("the database", asUser: options.asUser, options.shared, context)
        let store = LearnStore(call.pool)
        guard let vault = options.vault else {
            return try await learnAll(store, options, asOf: asOf, context).finish(context)
        }
        let found = try await call.asked {
            try await store.learn(vault, asOf: asOf, until: call.deadline)
        }
        guard let found else { throw .noVault(vault.description) }
        return try LearnText.report(found).finish(context)
    }

    private static func learnAll(
        _ store: LearnStore,
        _ options: StoredVaultOptions,
        asOf: Instant,
        _ context: CommandContext
    ) async throws(CommandError) -> TextReport {
        var counts: [LearnOutcome.Change: Int] = [:]
        var failures: [(vault: String, error: CommandError)] = []
        _ = try await reporting {
            try await store.learnAll(asOf: asOf, within: options.shared.deadline ?? .seconds(30)) {
                ending,
                vault in
                switch ending {
                case .success(let outcome): counts[outcome.change, default: 0] += 1
                case .failure(let error): failures.append((vault.description, CommandError(error)))
                }
                context.progress("learned from \(counts.values.reduce(0, +)) vaults")
            }
        }
        return LearnText.report(counts, failures)
    }
}

/// What `learn` says it learned.
enum LearnText {
    static func report(_ outcome: LearnOutcome) -> TextReport {
        let weights = outcome.weights
        let head =
            switch outcome.change {
            case .learned: "learned from \(weights.signalCount) signals, as of \(weights.asOf.iso8601)"
            case .unchanged: "nothing new: the stored weights say the same"
            case .kept: "nothing is stored: newer weights are there"
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
        let unchanged = (counts[.unchanged] ?? 0) + (counts[.kept] ?? 0)
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
