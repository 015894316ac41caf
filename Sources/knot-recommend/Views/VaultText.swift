import JSONDocument
import KnotDomain
import PostgresClient
import VaultStore

/// A vault as lines for the person whose it is.
enum VaultText {
    static func lines(_ vault: JSONValue, width: Int) -> [String] {
        var lines: [String] = []
        func add(_ label: String, _ text: String) {
            let wrapped = TextLayout.wrapped(TerminalText.safe(text), to: max(20, width - 16))
            for (index, line) in wrapped.enumerated() {
                lines.append(TextLayout.padded(index == 0 ? label : "", to: 16) + line)
            }
        }
        let zone = ZoneDirectory().rules(named: vault["timezone"]?.string ?? "") ?? .utc
        add("vault", vault["id"]?.string ?? "")
        add("partner", vault["partner_name"]?.string ?? "")
        let place = ["city", "state", "country"].compactMap { vault["location"]?[$0]?.string }
        if !place.isEmpty { add("place", place.joined(separator: ", ")) }
        add("time zone", vault["timezone"]?.string ?? "")
        for (label, name) in [("likes", "likes"), ("dislikes", "dislikes"), ("style", "vibes")] {
            add(label, words(vault[name]?.array ?? []).joined(separator: ", "))
        }
        let languages = [vault["love_languages"]?["primary"], vault["love_languages"]?["secondary"]]
        add("love languages", words(languages.compactMap(\.self)).joined(separator: ", "))
        for tier in OccasionTier.allCases {
            guard let text = budget(vault["budgets"]?[tier.rawValue]) else { continue }
            add(tier == .justBecause ? "budgets" : "", "\(text) \(CardView.words(tier.rawValue))")
        }
        for (index, milestone) in (vault["milestones"]?.array ?? []).enumerated() {
            let date = milestone["date"]?.string ?? ""
            let day = milestone["recurrence"]?.string == "yearly" ? String(date.suffix(5)) : date
            let name = milestone["name"]?.string ?? ""
            add(
                index == 0 ? "milestones" : "",
                "\(day)  \(name) (\(CardView.words(milestone["budget_tier"]?.string ?? "")))"
            )
            add("", "       \(milestone["id"]?.string ?? "")")
        }
        for (index, hint) in (vault["hints"]?.array ?? []).enumerated() {
            let used = hint["is_used"]?.bool == true ? " (used)" : ""
            let day = Self.day(of: hint["created_at"]?.string ?? "", in: zone)
            add(index == 0 ? "hints" : "", "\(day)  \(hint["text"]?.string ?? "")\(used)")
        }
        return lines
    }

    /// The day in the vault's zone, as a card's reason names it.
    private static func day(of moment: String, in zone: ZoneRules) -> String {
        Instant(iso8601: moment).map { zone.localDate(at: $0).description } ?? String(moment.prefix(10))
    }

    private static func words(_ values: [JSONValue]) -> [String] {
        values.compactMap { $0.string.map(CardView.words) }
    }

    private static func budget(_ value: JSONValue?) -> String? {
        guard let low = value?["min_cents"]?.int, let high = value?["max_cents"]?.int,
            let currency = value?["currency"]?.string.flatMap({ Currency($0) })
        else { return nil }
        return "\(Money(low, currency)) to \(Money(high, currency))"
    }
}

/// One stored set as a few lines.
enum HistoryText {
    /// When a set was stored, on the clocks of the vault's person.
    static func moment(_ set: StoredSetSummary) -> String {
        DateText.moment(set.createdAt, in: set.timeZone.flatMap { zones.rules(named: $0) } ?? .utc)
    }

    private static let zones = ZoneCache()

    static func lines(_ set: StoredSetSummary, width: Int) -> [String] {
        var head = "\(moment(set)), \(CardView.words(set.tier))"
        if let day = set.occurrence { head += ", \(DateText.day(day.description))" }
        if set.outcome != "complete" { head += ", \(set.outcome)" }
        if set.round > 0 { head += ", round \(set.round)" }
        if set.supersededBy != nil { head += ", replaced since" }
        var lines = TextLayout.wrapped(head, to: max(40, width))
        lines += ["  run \(set.runID), \(TerminalText.safe(set.pipelineName, limit: 60))"]
        for choice in set.choices.array ?? [] {
            let price = choice["price_cents"]?.int.flatMap { cents in
                choice["currency"]?.string.flatMap { Currency($0) }.map { Money(cents, $0).description }
            }
            let title = TerminalText.safe(choice["title"]?.string ?? "", limit: 600)
            let position = choice["position"]?.int.map { "\($0). " } ?? "   "
            let room = width - 4 - DisplayWidth.of(position) - DisplayWidth.of(price ?? "")
            lines.append(
                "  \(position)" + TextLayout.padded(TextLayout.truncated(title, to: room), to: room) + " "
                    + (price ?? "")
            )
        }
        return lines
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
